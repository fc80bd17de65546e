import os

import httpx
from cliente_catp import AuthenticatedClient
from cliente_catp.api.produtos import include_product, list_products
from cliente_catp.models import ErrorBody, ProductRequest

EMPRESA = "12345678"


class Sessao(httpx.Auth):
    """Entra quando preciso, renova o X-CSRF-Token a cada resposta e volta a entrar depois de um 401."""

    def __init__(self, url, client_id, client_secret):
        self.porta = url + "/portal/api/autenticar/chave-acesso"
        self.chave = {"Client-Id": client_id, "Client-Secret": client_secret, "Role-Type": "IMPEXP"}
        self.tokens = None

    def auth_flow(self, request):
        if self.tokens is None:
            resposta = yield httpx.Request("POST", self.porta, headers=self.chave)
            if resposta.status_code != 200:
                raise RuntimeError(f"a autenticação foi recusada com {resposta.status_code}")
            nomes = {"Authorization": "Set-Token", "X-CSRF-Token": "X-CSRF-Token"}
            self.tokens = {nome: resposta.headers[de] for nome, de in nomes.items()}
        request.headers.update(self.tokens)
        resposta = yield request
        if resposta.status_code == 401:
            self.tokens = None
        elif "X-CSRF-Token" in resposta.headers:
            self.tokens["X-CSRF-Token"] = resposta.headers["X-CSRF-Token"]


url = os.environ.get("CATALOGO_URL", "http://localhost:8080")
sessao = Sessao(url, os.environ.get("CLIENT_ID", "demo"), os.environ.get("CLIENT_SECRET", "demo"))
# O cabeçalho Authorization é da sessão: o do gerador fica vazio.
catalogo = AuthenticatedClient(base_url=url, token="", prefix="", httpx_args={"auth": sessao})

novo = ProductRequest.from_dict({"denominacao": "Tampa", "modalidade": "IMPORTACAO", "ncm": "39269090"})
incluido = include_product.sync(EMPRESA, client=catalogo, body=novo)
if isinstance(incluido, ErrorBody):
    raise SystemExit(f"{incluido.code}: {incluido.message}")
print(f"incluído: código {incluido.codigo}, versão {incluido.versao}")

for produto in list_products.sync(client=catalogo, cpf_cnpj_raiz=EMPRESA, ncm="39269090") or []:
    print(f"{produto.codigo}/{produto.versao} {produto.situacao} {produto.denominacao}")
