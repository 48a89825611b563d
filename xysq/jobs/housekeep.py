"""Housekeep: git's loose objects are packed when there are many; a command's last step, never a hook's.

What was asked for is durable before this begins, so a failure is only told. Whether it is due is seen in one look at
one directory, whatever the vault's size is.
"""

from xysq.errors import XysqError
from xysq.jobs.opened import Opened
from xysq.store.lock import VaultLock


def housekeep(opened: Opened, lock: VaultLock) -> bool:
    """Tidy git where that is due; tell whether it was."""
    try:
        if not opened.repository.housekeeping.is_due():
            return False
        opened.repository.housekeeping.tidy(lock.fd, opened.clock().timestamp())
    except XysqError as error:
        opened.notices.append(f"git's objects could not be packed ({error.sentence}): run xysq doctor")
    return True
