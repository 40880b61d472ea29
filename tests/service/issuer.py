"""A provider of OpenID Connect: discovery, keys, and an endpoint that gives a signed token for a code, once."""

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

CLIENT, SECRET = "club", "s3cret"


class Issuer:
    """A provider at a port of this machine.

    Attributes
    ----------
    said : dict
        Claims of the person who signs in next, beside those that every token has; None takes one of these out.
    key : ECKey
        By which tokens are signed; the one that is published is `published`.
    unsigned : bool
        Whether tokens have the algorithm `none`.
    """

    def __init__(self) -> None:
        self.said: dict[str, Any] = {"email": "ann@club.example", "email_verified": True}
        self.key = self.published = ECKey.generate_key("P-256", {"kid": "1", "use": "sig", "alg": "ES256"})
        self.unsigned = False
        self.meta: dict[str, Any] = {}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        issuer = self

        class Door(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                found = {"/.well-known/openid-configuration": issuer.metadata(), "/keys": issuer.keys()}.get(self.path)
                self.answer(404 if found is None else 200, found)

            def do_POST(self) -> None:
                issuer.asked.append(self.path)
                form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                given = {name: values[0] for name, values in form.items()}
                key = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
                known = self.headers.get("authorization") == f"Basic {key}"
                self.answer(*(issuer.token(given) if known else (401, {"error": "invalid_client"})))

            def answer(self, status: int, value: Any) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def metadata(self) -> dict[str, Any]:
        """What discovery answers."""
        return {
            "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token", "jwks_uri": f"{self.url}/keys",
            "id_token_signing_alg_values_supported": ["none", "HS256", "ES256"],
            **self.meta,
        }  # fmt: skip

    def keys(self) -> dict[str, Any]:
        """The keys by which tokens are checked."""
        return {"keys": [self.published.as_dict(private=False)]}

    def authorize(self, address: str) -> str:
        """Signs somebody in who was led to an address; gives the query with which they are sent back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (asked["response_type"], asked["client_id"]) == ("code", CLIENT)
        assert "openid" in asked["scope"].split()
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return urlencode({"code": code, "state": asked["state"], "session_state": "x", "iss": self.url})

    def token(self, given: dict[str, str]) -> tuple[int, dict[str, Any]]:
        """Status and answer to a code: the verifier must be that of its challenge, and the address the same."""
        asked = self.codes.pop(given.get("code", ""), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or (challenge, given["redirect_uri"]) != (asked["code_challenge"], asked["redirect_uri"]):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.url, "sub": "17", "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        claims = {name: value for name, value in (claims | self.said).items() if value is not None}
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": self._signed(claims)}

    def _signed(self, claims: dict[str, Any]) -> str:
        if not self.unsigned:
            return jwt.encode({"alg": "ES256", "kid": self.key.kid}, claims, self.key)
        parts = [json.dumps(part).encode() for part in ({"alg": "none"}, claims)]
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."

    def close(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
