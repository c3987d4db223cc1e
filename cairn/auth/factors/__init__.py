"""Second factors: an authenticator app, a telephone, a passkey, and recovery codes for when all are lost.

`routes` is what the door mounts; each verb has a file. A proven factor raises the session to `aal2` (`raise_level`);
rules and shapes are in `cairn.auth.factor`.
"""
