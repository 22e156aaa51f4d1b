-- NULL: the image was uploaded. Another address in the branding takes its place.
ALTER TABLE logos ALTER COLUMN url DROP NOT NULL;
