"""A site whose users log in with Authlib: python authlib_site.py <port>."""

import sys

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, redirect, session, url_for

app = Flask(__name__)
app.secret_key = "only for a test"

# In docs/guide/login-for-other-software.md:
oauth = OAuth(app)
oauth.register(
    "keywright",
    server_metadata_url="https://id.example.com/t/org_acme/.well-known/openid-configuration",
    client_id="client_01m81f1h9m6x3r8t2z5w7y0kqd",
    client_secret="kwc_EXAMPLE",
    client_kwargs={"scope": "openid profile email"},
)
# To here.


@app.get("/")
def home():
    if "user" not in session:
        return oauth.keywright.authorize_redirect(url_for("callback", _external=True))
    return jsonify({name: session["user"][name] for name in ("sub", "name", "email")})


@app.get("/callback")
def callback():
    session["user"] = oauth.keywright.authorize_access_token()["userinfo"]
    return redirect("/")


app.run(host="localhost", port=int(sys.argv[1]))
