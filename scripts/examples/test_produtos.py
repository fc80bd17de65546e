import json
import os
import re
import subprocess
import urllib.error
import urllib.request

import pytest

PRODUTO = {"denominacao": "Parafuso sextavado", "modalidade": "IMPORTACAO", "ncm": "73181500"}


@pytest.fixture(scope="session")
def instancia(tmp_path_factory):
    """Uma instância só desta suíte, em uma porta livre; não sobrevive à suíte nem por kill -9."""
    pasta = tmp_path_factory.mktemp("catp")
    comando = [os.environ.get("CATP", "catp"), "dev", "--port", "0", "--empty", "--data", str(pasta)]
    servidor = subprocess.Popen(
        [*comando, "--exit-with-parent"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    yield re.search(r"pronto em (\S+)", servidor.stdout.readline()).group(1)
    servidor.terminate()
    servidor.wait()


@pytest.fixture(scope="session")
def entra(instancia):
    """Entra uma vez por usuário; o que devolve faz requisições como ele."""

    def entra(chave):
        credenciais = {"Client-Id": chave, "Client-Secret": chave, "Role-Type": "IMPEXP"}
        caminho = "/portal/api/autenticar/chave-acesso"
        _, _, cabecalhos = pede(instancia, "POST", caminho, None, credenciais)
        tokens = {"Authorization": cabecalhos["Set-Token"], "X-CSRF-Token": cabecalhos["X-CSRF-Token"]}
        return lambda metodo, caminho, corpo=None: pede(instancia, metodo, caminho, corpo, tokens)[:2]

    return entra


@pytest.fixture(scope="session")
def admin(entra):
    admin = entra("admin")
    entra("demo")("POST", "/catp/api/ext/produto/12345678", PRODUTO)
    admin("POST", "/appliance/api/snapshots/inicio")
    return admin


@pytest.fixture
def demo(admin, entra):
    """Cada teste começa do mesmo estado."""
    admin("POST", "/appliance/api/snapshots/inicio/restore")
    return entra("demo")


def test_inclui_um_produto(demo):
    status, produto = demo("POST", "/catp/api/ext/produto/12345678", PRODUTO)
    assert (status, produto["codigo"]) == (200, 2)


def test_nao_lembra_o_que_outro_teste_incluiu(demo):
    assert demo("POST", "/catp/api/ext/produto/12345678", PRODUTO)[1]["codigo"] == 2
    assert len(demo("GET", "/catp/api/ext/produto?cpfCnpjRaiz=12345678")[1]) == 2


def test_recusa_uma_ncm_malformada_e_diz_onde(demo):
    status, erro = demo("POST", "/catp/api/ext/produto/12345678", {**PRODUTO, "ncm": "7318"})
    assert (status, erro["detail"][0]["path"]) == (400, "/ncm")


def pede(url, metodo, caminho, corpo, cabecalhos):
    dados = None if corpo is None else json.dumps(corpo).encode()
    pedido = urllib.request.Request(url + caminho, dados, dict(cabecalhos), method=metodo)
    pedido.add_header("Content-Type", "application/json")
    try:
        resposta = urllib.request.urlopen(pedido)
    except urllib.error.HTTPError as recusa:
        resposta = recusa
    with resposta:
        texto = resposta.read()
        return resposta.status, json.loads(texto) if texto else None, resposta.headers
