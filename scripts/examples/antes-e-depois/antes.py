import json
import os
import sys
import urllib.request

URL = os.environ.get('CATALOGO_URL', 'http://127.0.0.1:8080')


def pede(caminho, cabecalhos, corpo=None):
    dados = None if corpo is None else json.dumps(corpo).encode()
    cabecalhos = {**cabecalhos, 'Content-Type': 'application/json'}
    return urllib.request.urlopen(urllib.request.Request(URL + caminho, dados, cabecalhos, method='POST'))


def inclui(produto):
    chave = {'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP'}
    with pede('/portal/api/autenticar/chave-acesso', chave) as entrada:
        tokens = {nome: entrada.headers[nome] for nome in ('Set-Token', 'X-CSRF-Token')}
    tokens['Authorization'] = tokens.pop('Set-Token')
    with pede('/catp/api/ext/produto/12345678', tokens, produto) as resposta:
        return json.load(resposta)['codigo']


for linha in open(sys.argv[1], encoding='utf-8'):
    codigo, ncm, modalidade, nome = linha.strip().split(';')
    produto = {'denominacao': nome, 'modalidade': modalidade, 'ncm': ncm, 'codigosInterno': [codigo]}
    for tentativa in range(5):
        try:
            print(codigo, '->', inclui(produto))
            break
        except Exception as erro:
            print(codigo, 'falhou, de novo:', erro)
