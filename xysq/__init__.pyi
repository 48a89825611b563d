from xysq.vault.api import Vault as Vault

__version__: str
