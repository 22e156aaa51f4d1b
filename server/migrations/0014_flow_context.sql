-- What the later steps of a flow need to know of its beginning.

ALTER TABLE login_flows
  -- An unknown identifier may register, once it is proven.
  ADD COLUMN registers boolean NOT NULL DEFAULT false,
  -- Of the messages.
  ADD COLUMN locale text COLLATE "C",
  -- Shown to whoever opens a link elsewhere.
  ADD COLUMN user_agent text COLLATE "C",
  -- The flow whose message this one redeems, on another device.
  ADD COLUMN continues text COLLATE "C";
