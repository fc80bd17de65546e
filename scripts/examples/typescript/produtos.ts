import { clienteDoCatalogo, recusa } from './cliente';

const { CATALOGO_URL = 'http://localhost:8080', CLIENT_ID = 'demo', CLIENT_SECRET = 'demo' } = process.env;
const catalogo = clienteDoCatalogo(CATALOGO_URL, { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
const empresa = '12345678';

// Inclui um produto. O compilador conhece cada membro do corpo, e o que a resposta traz.
const incluido = await catalogo.POST('/catp/api/ext/produto/{cpfCnpjRaiz}', {
  params: { path: { cpfCnpjRaiz: empresa } },
  body: { denominacao: 'Caixa plástica', modalidade: 'IMPORTACAO', ncm: '39269090' },
});
if (incluido.error) throw new Error(recusa(incluido.error));
console.log(`incluído: código ${incluido.data.codigo}, versão ${incluido.data.versao}`);

// Uma recusa é um valor: todos os problemas, cada um com o seu lugar.
const recusado = await catalogo.POST('/catp/api/ext/produto/{cpfCnpjRaiz}', {
  params: { path: { cpfCnpjRaiz: empresa } },
  body: { denominacao: 'Caixa plástica', modalidade: 'IMPORTACAO', ncm: '3926' },
});
if (recusado.error) console.log(`recusado: ${recusado.response.status} ${recusa(recusado.error)}`);

// Lista: um 204 quer dizer que não há nenhum.
const lista = await catalogo.GET('/catp/api/ext/produto', {
  params: { query: { cpfCnpjRaiz: empresa, ncm: '39269090' } },
});
if (lista.error) throw new Error(recusa(lista.error));
console.log(`lista: ${(lista.data ?? []).map(({ codigo }) => codigo).join(', ')}`);

// Assina um evento.
const assinatura = await catalogo.POST('/portal/api/ext/webhook', {
  body: {
    evento: 'catp-prod-alterado',
    endpoint: 'https://erp.empresa.com.br/notificacoes',
    chaveSecreta: 'segredo combinado',
  },
});
if (assinatura.error) throw new Error(recusa(assinatura.error));
console.log(`assinatura: ${assinatura.data.id} de ${assinatura.data.evento}`);
