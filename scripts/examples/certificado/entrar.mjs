import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const pasta = 'catp-dev/tls';
const base = process.env.CATALOGO_URL ?? 'https://localhost:8443';
const pedido = request(`${base}/portal/api/autenticar`, {
  method: 'POST',
  headers: { 'Role-Type': 'IMPEXP' },
  ca: readFileSync(`${pasta}/catp-ca.pem`),
  pfx: readFileSync(`${pasta}/demo.pfx`),
  passphrase: 'catp',
});
pedido.on('response', (resposta) => {
  console.log(resposta.statusCode, 'set-token' in resposta.headers);
  resposta.resume();
});
pedido.end();
