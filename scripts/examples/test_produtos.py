import pytest

DA_EMPRESA = "/catp/api/ext/produto/12345678"
PRODUTO = {"denominacao": "Parafuso sextavado", "modalidade": "IMPORTACAO", "ncm": "73181500"}


@pytest.fixture(scope="module")
def catp_options():
    return {"empty": True}


def test_inclui_um_produto(catp):
    status, produto = catp.sign_in("demo")("POST", DA_EMPRESA, PRODUTO)
    assert (status, produto["codigo"]) == (200, 1)


def test_nao_lembra_o_que_outro_teste_incluiu(catp):
    assert catp.sign_in("demo")("POST", DA_EMPRESA, PRODUTO)[1]["codigo"] == 1


def test_recusa_uma_ncm_malformada_e_diz_onde(catp):
    status, erro = catp.sign_in("demo")("POST", DA_EMPRESA, {**PRODUTO, "ncm": "7318"})
    assert (status, erro["detail"][0]["path"]) == (400, "/ncm")
