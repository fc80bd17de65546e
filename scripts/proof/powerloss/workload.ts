/** Writes for the recording: parallel clients, every kind of write, over several checkpoints. */
import { type Client, signIn } from '../client.ts';
import type { Server } from '../server.ts';
import { SECRET, descriptionOf, markOf } from './promises.ts';

const COMPANY = '12345678';
const CLIENTS = 6;
const IMPORT_ITEMS = 200;
/**
 * The tracer sees an answer before it records that it was sent; a kill in between would hide the last one.
 */
const TRACER_MS = 300;
const EVENT = 'prova-publicada';
const RECEIVER = 'erp.prova';

/** Deliveries are refused at once: the port has no listener, and no name is resolved. */
export const WORKLOAD_FLAGS = ['--map', `${RECEIVER}:443=127.0.0.1:1`, '--retry', '1s,1s,1s'] as const;

/**
 * Writes until `products` products are acknowledged, then kills the server. Returns the number of 2xx
 * answers.
 */
export async function record(server: Server, products: number): Promise<number> {
  const url = await server.ready;
  const [demo, admin] = await Promise.all([signIn(url, 'demo'), signIn(url, 'admin')]);
  const counter = { started: 0, answered: 0 };
  const call = async (client: Client, method: string, path: string, body: unknown): Promise<unknown> => {
    const answer = await client.call(method, path, body);
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer?.status} ${answer?.text}`);
    counter.answered += 1;
    return answer.body;
  };
  const endpoint = `https://${RECEIVER}/notificacoes`;
  await call(demo, 'POST', '/portal/api/ext/webhook', { evento: EVENT, endpoint });

  const writeProducts = async (): Promise<void> => {
    while (counter.started < products) {
      const number = ++counter.started;
      const mark = markOf('produto', number);
      const path = `/catp/api/ext/produto/${COMPANY}`;
      const { codigo } = (await call(demo, 'POST', path, product(mark))) as { codigo: number };
      if (number % 3 === 0) await call(demo, 'PUT', `${path}/${codigo}`, product(markOf('produto', -number)));
    }
  };
  const writeOthers = async (): Promise<void> => {
    for (let number = 1; counter.started < products; number++) {
      const operator = { nome: markOf('operador', number), logradouro: 'Rua 1', nomeCidade: 'Berlin' };
      await call(demo, 'POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, operator);
      const evento = markOf('assinatura', number);
      await call(demo, 'POST', '/portal/api/ext/webhook', { evento, endpoint, chaveSecreta: SECRET });
      const event = {
        evento: EVENT,
        destinatarioTipo: 'CNPJ',
        destinatarioId: COMPANY,
        conteudo: { number },
      };
      await call(admin, 'POST', '/appliance/api/events', event);
      if (number % 20 === 1) await call(demo, 'POST', '/appliance/api/imports', importOf(number));
    }
  };
  await Promise.all([...Array.from({ length: CLIENTS }, writeProducts), writeOthers()]);
  await Bun.sleep(TRACER_MS);
  await server.kill9();
  return counter.answered;
}

const product = (mark: string) => ({
  denominacao: mark,
  descricao: descriptionOf(mark),
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
});

function importOf(number: number): FormData {
  const items = Array.from({ length: IMPORT_ITEMS }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    denominacao: `importado ${number} ${index}`,
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  }));
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new File([JSON.stringify(items)], 'prova.json'));
  return form;
}
