"""A instância de uma sessão do pytest; cada teste começa do mesmo estado.

``catp_options`` (os argumentos de ``start``) e ``catp_prepare`` (o que fazer uma vez, antes do primeiro teste) são fixtures que
um ``conftest.py`` pode definir de novo.
"""

import hashlib

import pytest

from . import chaos_of, start

_PREPARED = "preparado"


@pytest.fixture(scope="session")
def catp_options():
    return {}


@pytest.fixture(scope="session")
def catp_prepare():
    return lambda instance: None


@pytest.fixture(scope="session")
def catp_instance(catp_options, catp_prepare):
    with start(**{**catp_options, "chaos": False}) as instance:
        catp_prepare(instance)
        instance.snapshot(_PREPARED)
        yield instance


@pytest.fixture
def catp(catp_instance, catp_options, request):
    catp_instance.restore(_PREPARED)
    if chaos := chaos_of(catp_options.get("chaos")):
        catp_instance.admin("POST", "/faults", {"chaos": _drawn_for(request.node.name, *chaos)})
    return catp_instance


def _drawn_for(name, seed, chosen):
    """Cada teste tem o seu sorteio, que não depende de quais outros rodam; o que o prepara não é sorteado."""
    return {"seed": hashlib.sha256(f"{seed} {name}".encode()).hexdigest()[:16], "set": chosen}
