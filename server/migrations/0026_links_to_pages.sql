-- Links of messages that lead to pages of the service.

-- Whether the link of a message leads to a page of the service instead of one of the application.
ALTER TABLE messages ADD COLUMN to_page boolean NOT NULL DEFAULT false;

-- For a login that was begun on a page: the request of the application, sealed for the browser, which the link of its
-- message goes on with. NULL: no message was sent from a page.
ALTER TABLE login_flows ADD COLUMN page text CHECK (length(page) <= 16384);
