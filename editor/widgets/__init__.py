"""Small Qt widgets that know neither Model nor document."""
