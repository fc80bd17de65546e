/** Serves the journal over HTTP (contract section 15). */
import { notFound } from '../../errors.ts';
import { type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import type { Advise } from './advice.ts';
import { curlOf } from './curl.ts';
import type { JournalEntry } from './entry.ts';
import type { Journal } from './journal.ts';
import type { LiveStreams } from './live.ts';
import { LoggedRequest, RequestDetail } from './model.ts';
import { pathOf, toDetail, toRow } from './display.ts';
import { idOf, limitOf, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const BASE = '/appliance/api/requests';
const operation = operationsIn({ tag: 'Desenvolvimento', source: 'contract, section 15' });
const WHOSE = 'As do próprio usuário; um administrador vê todas.';

const ENTRIES_MAX = 1000;
const LIMIT_DEFAULT = 100;

const RequestId = idOf('Número da requisição.');
const byId = t.Object({ id: RequestId });
const Pages = t.Object({
  pages: t.Optional(
    t.Boolean({
      default: false,
      description: 'Também o que a interface web pede por si, marcado com o cabeçalho X-Catp-Pagina.',
    }),
  ),
});

const Filter = t.Object({
  ...Pages.properties,
  operation: t.Optional(text('operationId.', 'includeProduct', { minLength: 1, maxLength: 100 })),
  status: t.Optional(integerForm('Status da resposta.', 422, { minimum: 100, maximum: 599 })),
  method: t.Optional(text('Método HTTP.', 'POST', { minLength: 1, maxLength: 20 })),
  path: t.Optional(text('Trecho do caminho.', '/produto/', { minLength: 1, maxLength: 2048 })),
  limit: t.Optional(limitOf('Quantas requisições, no máximo.', ENTRIES_MAX, LIMIT_DEFAULT)),
  after: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'id da última requisição já vista: seguem as anteriores a ela.',
      // No example: a user who copies the document's example would skip existing requests.
    }),
  ),
});
type Filter = typeof Filter.static;

export function journalRoutes(journal: Journal, live: LiveStreams, advise: Advise): Operation<Caller>[] {
  const entryFor = (id: number, caller: Caller): JournalEntry => {
    const entry = journal.find(id);
    if (entry?.isSeenBy(caller, true) !== true)
      throw notFound(`A requisição ${id} não está no diário, que guarda as últimas ${ENTRIES_MAX}.`);
    return entry;
  };
  return [
    operation('GET', BASE, {
      id: 'listRequests',
      summary: 'As últimas requisições atendidas, da mais nova à mais antiga',
      description: `${WHOSE} Ficam na memória as últimas 1000, sem as desta consulta, as de saúde e as de métricas; um reinício do processo as esquece.`,
      query: Filter,
      success: t.Array(LoggedRequest),
      handle: ({ caller, query }) => ok(selectEntries(journal, query, caller).map(toRow)),
    }),
    operation('DELETE', BASE, {
      access: 'administrator',
      id: 'clearRequests',
      right: 'none',
      summary: 'Esvazia o diário de requisições',
      otherSuccess: [204],
      handle: () => journal.empty(),
    }),
    operation('GET', `${BASE}/live`, {
      id: 'followRequests',
      summary: 'As requisições à medida que são atendidas, como server-sent events',
      description:
        'Como as da lista: as do próprio usuário, ou todas. Cada evento tem em data uma linha como as da lista. A quem lê devagar faltam as mais antigas; um evento lost diz quantas (count).',
      produces: 'text/event-stream',
      success: t.String({ description: 'Eventos.' }),
      query: Pages,
      handle: ({ caller, query: { pages = false } }) => ({
        headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
        content: live.open((entry) => entry.isSeenBy(caller, pages)),
      }),
    }),
    operation('GET', `${BASE}/:id`, {
      id: 'getRequest',
      summary: 'Uma requisição e sua resposta, com o que teria sido válido',
      params: byId,
      success: RequestDetail,
      handle: ({ caller, params }) => ok(toDetail(entryFor(params.id, caller), advise)),
    }),
    operation('GET', `${BASE}/:id/curl`, {
      id: 'getRequestCurl',
      summary: 'A requisição como comando curl que a repete',
      description: 'Segredos são variáveis do shell; as primeiras linhas dizem quais preencher.',
      params: byId,
      produces: 'text/plain',
      success: t.String({ description: 'Um comando para o bash.' }),
      handle: ({ caller, params }) => ({
        headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        content: curlOf(entryFor(params.id, caller)),
      }),
    }),
  ];
}

function selectEntries(journal: Journal, filter: Filter, caller: Caller): JournalEntry[] {
  const { limit = LIMIT_DEFAULT, after, pages = false } = filter;
  const entries: JournalEntry[] = [];
  for (const entry of journal.entries(after)) {
    if (entries.length >= limit) break;
    if (matchesFilter(entry, filter) && entry.isSeenBy(caller, pages)) entries.push(entry);
  }
  return entries;
}

function matchesFilter(entry: JournalEntry, { operation: id, status, method, path }: Filter): boolean {
  return (
    (id === undefined || entry.operation?.id === id) &&
    (status === undefined || entry.status === status) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || pathOf(entry).includes(path))
  );
}
