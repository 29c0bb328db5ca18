"""Times as events state them (`instants`) and as texts speak of them (`mentions`), English and Chinese. Pure."""
