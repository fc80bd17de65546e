"""Uma instância para os testes de um arquivo; cada teste começa do mesmo estado, e sem as falhas que outro pediu.

``catp_options`` (os argumentos de ``start``) e ``catp_prepare`` (o que fazer uma vez, antes do primeiro teste) são fixtures que
um arquivo, ou um ``conftest.py`` para todos os seus, pode definir de novo.
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


@pytest.fixture(scope="module")
def catp_instance(catp_options, catp_prepare):
    with start(**{**catp_options, "chaos": False}) as instance:
        catp_prepare(instance)
        instance.snapshot(_PREPARED)
        yield instance


@pytest.fixture(scope="module")
def catp_rules(catp_instance):
    """As regras de falha que o preparo deixou, ou ``--chaos``, como se pedem."""
    return [_asked_for(rule) for rule in catp_instance.admin("GET", "/faults")]


@pytest.fixture
def catp(catp_instance, catp_options, catp_rules, request):
    catp_instance.admin("DELETE", "/faults")
    catp_instance.restore(_PREPARED)
    for rule in catp_rules:
        catp_instance.admin("POST", "/faults", rule)
    if chaos := chaos_of(catp_options.get("chaos")):
        catp_instance.admin("POST", "/faults", {"chaos": _drawn_for(request.node.name, *chaos)})
    return catp_instance


def _asked_for(rule):
    """De um conjunto decorrem as suas falhas, que não se pedem ao lado dele."""
    if (chaos := rule.get("chaos")) and chaos["set"]:
        del chaos["kinds"]
    return {name: value for name, value in rule.items() if name not in ("id", "matched", "acted")}


def _drawn_for(name, seed, chosen):
    """Cada teste tem o seu sorteio, que não depende de quais outros rodam; o que o prepara não é sorteado."""
    return {"seed": hashlib.sha256(f"{seed} {name}".encode()).hexdigest()[:16], "set": chosen}
