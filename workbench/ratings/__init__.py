"""Human evaluation: studies, items, raters, ratings and their agreement, in a database. Knows no models and no page."""
