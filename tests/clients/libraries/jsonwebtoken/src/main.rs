//! Reads tokens, one a line, and says of each whether it is good: verify <issuer> <audience>

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use std::error::Error;

type Claims = Map<String, Value>;

// In docs/guide/libraries.md:
/// Fetch it again every five minutes, and when a token names an unknown key.
fn fetch_keys(issuer: &str) -> Result<JwkSet, Box<dyn Error>> {
    let url = format!("{issuer}/.well-known/jwks.json");
    Ok(ureq::get(&url).call()?.body_mut().read_json()?)
}

fn verify(
    token: &str,
    keys: &JwkSet,
    issuer: &str,
    audience: &str,
) -> Result<Claims, Box<dyn Error>> {
    let kid = decode_header(token)?.kid.ok_or("no kid")?;
    let key = DecodingKey::from_jwk(keys.find(&kid).ok_or("unknown key")?)?;
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_issuer(&[issuer]);
    rules.set_audience(&[audience]);
    rules.set_required_spec_claims(&["iss", "aud", "exp"]);
    let verified = decode::<Claims>(token, &key, &rules)?;
    if verified.header.typ.as_deref() != Some("at+jwt") {
        return Err("not an access token".into());
    }
    Ok(verified.claims)
}
// To here.

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (issuer, audience) = (&arguments[1], &arguments[2]);
    let keys = fetch_keys(issuer)?;
    for line in std::io::stdin().lines() {
        match verify(&line?, &keys, issuer, audience) {
            Ok(claims) => println!("accepted: {}", claims["sub"].as_str().unwrap_or_default()),
            Err(error) => println!("refused: {error}"),
        }
    }
    Ok(())
}
