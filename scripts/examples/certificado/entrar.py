import os
import ssl
import urllib.request

pasta = 'catp-dev/tls'
contexto = ssl.create_default_context(cafile=f'{pasta}/catp-ca.pem')
contexto.load_cert_chain(f'{pasta}/demo.pem', f'{pasta}/demo.key')
base = os.environ.get('CATALOGO_URL', 'https://localhost:8443')
pedido = urllib.request.Request(
    f'{base}/portal/api/autenticar', method='POST', headers={'Role-Type': 'IMPEXP'}
)
with urllib.request.urlopen(pedido, context=contexto) as resposta:
    print(resposta.status, 'Set-Token' in resposta.headers)
