import { readFileSync } from 'node:fs';

const URL = process.env.CATALOGO_URL ?? 'http://127.0.0.1:8080';

const entrada = await fetch(`${URL}/portal/api/autenticar/chave-acesso`, {
  method: 'POST',
  headers: { 'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP' },
});
const tokens = {
  Authorization: entrada.headers.get('set-token'),
  'X-CSRF-Token': entrada.headers.get('x-csrf-token'),
};

async function envia(lote) {
  const resposta = await fetch(`${URL}/catp/api/ext/produto`, {
    method: 'POST',
    headers: { ...tokens, 'Content-Type': 'application/json' },
    body: JSON.stringify(lote),
  });
  if (!resposta.ok) throw new Error(`recusado: ${resposta.status}`);
  return resposta.json();
}

const linhas = readFileSync(process.argv[2], 'utf8').trim().split('\n');
for (const [indice, linha] of linhas.entries()) {
  const [codigo, ncm, modalidade, denominacao] = linha.split(';');
  const produto = { cpfCnpjRaiz: '12345678', denominacao, modalidade, ncm, codigosInterno: [codigo] };
  for (let tentativa = 0; tentativa < 5; tentativa += 1) {
    try {
      const [resultado] = await envia([{ seq: indice + 1, situacao: 'ATIVADO', ...produto }]);
      console.log(codigo, '->', resultado.codigo);
      break;
    } catch (erro) {
      console.log(codigo, 'falhou, de novo:', erro.message);
    }
  }
}
