import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get('CATALOGO_URL', 'http://127.0.0.1:8080')
ESPERA_MAXIMA = float(os.environ.get('ESPERA_MAXIMA', '7200'))  # segundos
PRAZO, TENTATIVAS, NOME_MAXIMO = 60, 12, 120
PARADAS = ('PUCX-ER1001', 'PUCX-ER0401', 'PLAT-ER2033')  # a hora cheia, a parada diária, entrou há pouco
CHAVE = {'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP'}
sessao, entrou_em = None, -60.0


def espera(segundos, porque):
    print(f'esperando {segundos:.0f} s: {porque}')
    time.sleep(min(segundos, ESPERA_MAXIMA))


def envia(metodo, caminho, cabecalhos, corpo=None):
    """O que se sabe da resposta: (status, corpo, cabeçalhos), ou None se ela não chegou inteira e legível."""
    dados = None if corpo is None else json.dumps(corpo).encode()
    cabecalhos = {**cabecalhos, 'Content-Type': 'application/json'}
    pedido = urllib.request.Request(URL + caminho, dados, cabecalhos, method=metodo)
    try:
        try:
            resposta = urllib.request.urlopen(pedido, timeout=PRAZO)
        except urllib.error.HTTPError as recusa:
            resposta = recusa
        with resposta:
            texto = resposta.read()
            if sessao is not None and resposta.headers['X-CSRF-Token']:
                sessao['X-CSRF-Token'] = resposta.headers['X-CSRF-Token']
            if resposta.status == 204:
                return 204, None, resposta.headers
            if not resposta.headers.get_content_type() == 'application/json':
                return None
            return resposta.status, json.loads(texto), resposta.headers
    except (OSError, http.client.HTTPException, ValueError):
        return None


def tenta(metodo, caminho, cabecalhos, corpo=None):
    """Repete o que com certeza não foi feito; None: talvez tenha sido feito, e quem chamou consulta antes de repetir."""
    for tentativa in range(TENTATIVAS):
        resposta = envia(metodo, caminho, cabecalhos(), corpo)
        if resposta is None or resposta[0] in (500, 502, 504):
            espera(2**tentativa, 'resposta desconhecida')
            if metodo == 'POST' and corpo is not None:
                return None
            continue
        status, conteudo, recebidos = resposta
        if status == 401 and sessao is not None:
            sai()
        elif status == 503 or (status == 422 and conteudo.get('code') in PARADAS):
            espera(float(recebidos['Retry-After'] or 60), conteudo['message'])
        else:
            return resposta
    raise SystemExit('o serviço não se recuperou; rode de novo mais tarde, e o que já foi incluído será visto')


def sai():
    global sessao
    sessao = None


def tokens():
    """Uma sessão para tudo; outra só depois de um 401, e nunca antes de 60 segundos."""
    global sessao, entrou_em
    if sessao is None:
        if time.monotonic() - entrou_em < 60:
            espera(60 - (time.monotonic() - entrou_em), 'outra autenticação')
        status, corpo, cabecalhos = tenta('POST', '/portal/api/autenticar/chave-acesso', lambda: CHAVE)
        if status != 200:
            raise SystemExit(f'não entrou: {corpo["message"]}')
        entrou_em = time.monotonic()
        sessao = {'Authorization': cabecalhos['Set-Token'], 'X-CSRF-Token': cabecalhos['X-CSRF-Token']}
    return sessao


def inclui(produto):
    """Consulta, e só então inclui: assim uma resposta perdida, ou uma segunda execução, não repete nada."""
    filtro = {'codigoInterno': produto['codigosInterno'][0], 'modalidade': produto['modalidade']}
    consulta = '/catp/api/ext/produto?' + urllib.parse.urlencode({'cpfCnpjRaiz': '12345678', **filtro})
    for tentativa in range(TENTATIVAS):
        status, achados, _ = tenta('GET', consulta, tokens)
        if status == 200:
            return achados[0]['codigo']
        resposta = tenta('POST', '/catp/api/ext/produto/12345678', tokens, produto)
        if resposta is not None:
            return resposta[1]['codigo'] if resposta[0] == 200 else resposta[1]['message']
    return 'não foi possível incluir'


produtos = {}
for linha in open(sys.argv[1], encoding='utf-8'):
    codigo, ncm, modalidade, nome = linha.strip().split(';')
    for cada in ('IMPORTACAO', 'EXPORTACAO') if modalidade == 'AMBOS' else (modalidade,):
        novo = {'denominacao': nome[:NOME_MAXIMO], 'descricao': nome, 'modalidade': cada, 'ncm': ncm}
        produto = produtos.setdefault((ncm, cada, nome), {**novo, 'codigosInterno': []})
        produto['codigosInterno'].append(codigo)  # iguais em tudo são um produto, com os dois códigos
for produto in produtos.values():
    print(' '.join(produto['codigosInterno']), produto['modalidade'], '->', inclui(produto))
