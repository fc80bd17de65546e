import { readFileSync } from 'node:fs';
import { setTimeout as pausa } from 'node:timers/promises';

const URL = process.env.CATALOGO_URL ?? 'http://127.0.0.1:8080';
const ESPERA_MAXIMA = Number(process.env.ESPERA_MAXIMA ?? 7200); // segundos
const PRAZO_MS = 60_000;
const [TENTATIVAS, NOME_MAXIMO] = [12, 120];
/** A hora cheia, a parada diária, entrou há pouco. */
const PARADAS = ['PUCX-ER1001', 'PUCX-ER0401', 'PLAT-ER2033'];
const CHAVE = { 'Client-Id': 'demo', 'Client-Secret': 'demo', 'Role-Type': 'IMPEXP' };
let sessao;
let entrouEm = -Infinity;

async function espera(segundos, porque) {
  console.log(`esperando ${Math.round(segundos)} s: ${porque}`);
  await pausa(Math.min(segundos, ESPERA_MAXIMA) * 1000);
}

/** O que se sabe da resposta; undefined: não chegou inteira e legível. */
async function envia(method, caminho, headers, corpo) {
  try {
    const resposta = await fetch(URL + caminho, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: corpo && JSON.stringify(corpo),
      signal: AbortSignal.timeout(PRAZO_MS),
    });
    const renovado = resposta.headers.get('x-csrf-token');
    if (sessao && renovado) sessao['X-CSRF-Token'] = renovado;
    if (resposta.status === 204) return { status: 204, headers: resposta.headers };
    if (!resposta.headers.get('content-type')?.startsWith('application/json')) return undefined;
    return { status: resposta.status, headers: resposta.headers, corpo: JSON.parse(await resposta.text()) };
  } catch {
    return undefined;
  }
}

/** Repete o que com certeza não foi feito; undefined: talvez tenha sido feito, e quem chamou consulta antes de repetir. */
async function tenta(metodo, caminho, cabecalhos, corpo) {
  for (let tentativa = 0; tentativa < TENTATIVAS; tentativa += 1) {
    const resposta = await envia(metodo, caminho, await cabecalhos(), corpo);
    const { status, headers, corpo: recebido } = resposta ?? {};
    if (resposta === undefined || [500, 502, 504].includes(status)) {
      await espera(2 ** tentativa, 'resposta desconhecida');
      if (corpo !== undefined) return undefined;
    } else if (status === 401 && sessao) sessao = undefined;
    else if (status === 503 || (status === 422 && PARADAS.includes(recebido.code)))
      await espera(Number(headers.get('retry-after') ?? 60), recebido.message);
    else return resposta;
  }
  throw new Error('o serviço não se recuperou; rode de novo mais tarde, e o que já foi incluído será visto');
}

/** Uma sessão para tudo; outra só depois de um 401, e nunca antes de 60 segundos. */
async function tokens() {
  if (sessao) return sessao;
  const desde = (performance.now() - entrouEm) / 1000;
  if (desde < 60) await espera(60 - desde, 'outra autenticação');
  const entrada = await tenta('POST', '/portal/api/autenticar/chave-acesso', () => CHAVE);
  if (entrada.status !== 200) throw new Error(`não entrou: ${entrada.corpo.message}`);
  entrouEm = performance.now();
  const { headers } = entrada;
  sessao = { Authorization: headers.get('set-token'), 'X-CSRF-Token': headers.get('x-csrf-token') };
  return sessao;
}

/** Consulta, e só então inclui: assim uma resposta perdida, ou uma segunda execução, não repete nada. */
async function inclui(produto) {
  const { modalidade, codigosInterno } = produto;
  const filtro = { cpfCnpjRaiz: '12345678', codigoInterno: codigosInterno[0], modalidade };
  for (let tentativa = 0; tentativa < TENTATIVAS; tentativa += 1) {
    const consulta = await tenta('GET', `/catp/api/ext/produto?${new URLSearchParams(filtro)}`, tokens);
    if (consulta.status === 200) return consulta.corpo[0].codigo;
    const resposta = await tenta('POST', '/catp/api/ext/produto/12345678', tokens, produto);
    if (resposta) return resposta.status === 200 ? resposta.corpo.codigo : resposta.corpo.message;
  }
  return 'não foi possível incluir';
}

const produtos = new Map();
for (const linha of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const [codigo, ncm, modalidade, nome] = linha.split(';');
  for (const cada of modalidade === 'AMBOS' ? ['IMPORTACAO', 'EXPORTACAO'] : [modalidade]) {
    const chave = [ncm, cada, nome].join(';');
    const denominacao = [...nome].slice(0, NOME_MAXIMO).join('');
    const produto = produtos.get(chave) ?? {
      denominacao,
      descricao: nome,
      modalidade: cada,
      ncm,
      codigosInterno: [],
    };
    produto.codigosInterno.push(codigo); // iguais em tudo são um produto, com os dois códigos
    produtos.set(chave, produto);
  }
}
for (const produto of produtos.values())
  console.log(produto.codigosInterno.join(' '), produto.modalidade, '->', await inclui(produto));
