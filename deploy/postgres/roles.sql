-- The user and the roles that Keywright connects as; docs/guide/postgresql.md says what each is for. The image of
-- PostgreSQL runs this once, as its superuser, in an empty database.
\getenv password KEYWRIGHT_DATABASE_PASSWORD
CREATE ROLE keywright LOGIN NOINHERIT PASSWORD :'password';
CREATE ROLE keywright_tenant NOLOGIN;
CREATE ROLE keywright_resolver NOLOGIN;
CREATE ROLE keywright_system NOLOGIN;
GRANT keywright_tenant, keywright_resolver, keywright_system TO keywright;
ALTER DATABASE keywright OWNER TO keywright;
GRANT CREATE ON SCHEMA public TO keywright;
