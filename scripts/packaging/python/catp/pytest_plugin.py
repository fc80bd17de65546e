"""A instância de uma sessão do pytest; cada teste começa do mesmo estado.

``catp_options`` (os argumentos de ``start``) e ``catp_prepare`` (o que fazer uma vez, antes do primeiro teste) são fixtures que
um ``conftest.py`` pode definir de novo.
"""

import pytest

from . import start

_PREPARED = "preparado"


@pytest.fixture(scope="session")
def catp_options():
    return {}


@pytest.fixture(scope="session")
def catp_prepare():
    return lambda instance: None


@pytest.fixture(scope="session")
def catp_instance(catp_options, catp_prepare):
    with start(**catp_options) as instance:
        catp_prepare(instance)
        instance.snapshot(_PREPARED)
        yield instance


@pytest.fixture
def catp(catp_instance):
    catp_instance.restore(_PREPARED)
    return catp_instance
