/** The operations of comparisons (contract section 18). */
import type { Static, TSchema } from '@sinclair/typebox';
import { catalogueAccess } from '../catalogue/access.ts';
import { type UploadParts, isMultipart, receiveUploads } from '../catalogue/import/upload.ts';
import { tableOperations } from '../catalogue/table-operations.ts';
import type { Clock } from '../clock.ts';
import { zipOfTexts } from '../files/zip-out.ts';
import { malformed } from '../errors.ts';
import { JSON_TYPE } from '../http/answers.ts';
import { readJson } from '../http/body.ts';
import { decode } from '../validation/decode.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { asSchema } from '../validation/schema.ts';
import { ACCEPTED, type CompanyGuard, type Operation, accepted, ok, operation } from '../http/operation.ts';
import type { Reads } from '../reading/pool.ts';
import { cutWith, streamOf } from '../reading/stream.ts';
import { requireRightForSome } from '../session/guard.ts';
import { type Idempotency, KEY_HEADER } from '../idempotency/service.ts';
import type { Caller } from '../session/model.ts';
import { downloadHeaders } from '../sheet/answers.ts';
import { type CatalogueRules, companySchema } from '../validation/company.ts';
import { COMPARED_FILE_NAMES, REMOTE_KINDS } from './compare/model.ts';
import type { ComparisonReaders } from './comparison-readers.ts';
import type { Comparisons } from './comparisons.ts';
import { type UploadFile, type RemoteFilesRead, SENT_STATES } from './files.ts';
import {
  ComparedPage,
  ComparedRecord,
  ComparisonForm,
  ComparisonId,
  ComparisonStarted,
  PairRequest,
  PairRequests,
  RemoteName,
  comparisonForm,
  type FetchedForm,
  fetchedForm,
  kindOf,
  stateOf,
} from './model.ts';
import type { RecordPageRead, RecordTableRead } from './records.ts';
import { REMOTE_PATH, REMOTE_SECTION } from './routes.ts';
import { comparisonOf } from './forms.ts';
import { t } from '../validation/type.ts';

export interface ComparisonRoutesParts extends UploadParts {
  readonly comparisons: Comparisons;
  readonly readers: ComparisonReaders;
  readonly reads: Reads<RecordPageRead | RecordTableRead | RemoteFilesRead>;
  readonly clock: Clock;
  readonly rules: CatalogueRules;
  readonly idempotency: Idempotency;
}

export const COMPARISONS_PATH = '/appliance/api/comparisons';
const PATH = COMPARISONS_PATH;
const Id = t.Object({ id: ComparisonId });

/** Checks the caller's right before the files are received. Throws 403. */
const requireComparer: CompanyGuard<Caller> = (caller, _params, _query, right) =>
  requireRightForSome(
    caller,
    right,
    'Comparações são pedidas por quem representa a empresa no perfil IMPEXP; o usuário logado não representa nenhuma. Um administrador só inclui o remoto.',
  );

const ORDER_MAX_BYTES = 64 * 1024;
/** A list of decisions with the longest codes. */
const PAIRS_MAX_BYTES = 512 * 1024;
const LIMIT_MAX = 500;
const LIMIT_DEFAULT = 50;
const TEXT_MAX = 200;

const Filter = {
  kind: t.Optional(kindOf('Só os deste tipo.')),
  state: t.Optional(stateOf('Só os neste estado.')),
  text: t.Optional(
    t.String({
      minLength: 1,
      maxLength: TEXT_MAX,
      description: 'No nome ou no código, sem caixa nem acentos.',
    }),
  ),
};

/** Words separated by commas. An absent value means all words. */
const wordList = (words: readonly string[], description: string) =>
  t.Optional(
    t.String({
      maxLength: TEXT_MAX,
      pattern: `^(?:${words.join('|')})(?:,(?:${words.join('|')}))*$`,
      'x-domain': `separados por vírgula: ${words.join(', ')}`,
      description: `${description}, separados por vírgula; sem isto, todos.`,
      examples: [words[0]],
    }),
  );

const requestedWordsIn = <Word extends string>(
  words: readonly Word[],
  text: string | undefined,
): readonly Word[] => {
  if (text === undefined) return words;
  const requestedWords = text.split(',');
  return words.filter((word) => requestedWords.includes(word));
};

export function comparisonRoutes(parts: ComparisonRoutesParts): Operation<Caller>[] {
  const { comparisons, readers, reads, clock, rules, idempotency } = parts;
  const Form = comparisonForm(rules);
  const Fetched = fetchedForm(rules);
  const access = catalogueAccess(rules);
  return [
    operation('POST', `${REMOTE_PATH}/:name/comparisons`, {
      ...REMOTE_SECTION,
      id: 'startComparison',
      right: 'aprovacao',
      summary: 'Compara o catálogo de uma empresa, ou de várias, com as exportações de um remoto',
      description:
        'De um remoto com url basta, em JSON, a empresa, ou as empresas em companies: as três exportações de cada uma são pedidas a ele. De outro, envie as três exportações de lá (produtos e operadores com os desativados, e vínculos), em zip ou JSON. A comparação segue por si, também depois de um reinício; acompanhe-a pelo id. Nada é gravado no catálogo, nem enviado a lugar nenhum.',
      params: t.Object({ name: RemoteName }),
      body: Form,
      bodyForm: 'raw',
      accepts: ['multipart/form-data', 'application/json'],
      jsonBody: Fetched,
      success: ComparisonStarted,
      successStatus: ACCEPTED,
      guard: requireComparer,
      headers: KEY_HEADER,
      handle: async ({ caller, params, request }) => {
        const find = (id: number) => comparisons.find(caller, id);
        const repeatable = { caller, request, find };
        if (!isMultipart(request)) {
          const { cpfCnpjRaiz, companies, force = false } = await readFetchedBody(request, Fetched);
          if (cpfCnpjRaiz === undefined) {
            const roots = comparisons.companiesOf(caller, params.name, companies);
            const idsFrom = (first: number) => roots.map((_, index) => first + index);
            const first = await idempotency.once(
              {
                caller,
                request,
                content: ['startComparison', params.name, { companies: roots, forced: force }],
                find: (id) => idsFrom(id).map(find),
              },
              (alsoWrite) => comparisons.startEach(caller, params.name, roots, force, alsoWrite),
            );
            return accepted({ ids: idsFrom(first) });
          }
          const options = { cpfCnpjRaiz, forced: force, files: null };
          const content = ['startComparison', params.name, options];
          const id = await idempotency.once({ ...repeatable, content }, (alsoWrite) =>
            comparisons.start(caller, params.name, options, alsoWrite),
          );
          return accepted({ id });
        }
        using arriving = parts.waiting.begin(caller);
        const { fields, files } = await receiveUploads(parts, arriving, request, Form, COMPARED_FILE_NAMES);
        const stored = {
          operadores: files.operadores.storedFile,
          produtos: files.produtos.storedFile,
          vinculos: files.vinculos.storedFile,
        };
        const { cpfCnpjRaiz, force } = fields;
        const options = { cpfCnpjRaiz, forced: force === 'true', files: stored };
        const sums = COMPARED_FILE_NAMES.map((name) => files[name].sha256);
        const content = ['startComparison', params.name, fields, sums];
        const discard = async () => {
          for (const file of Object.values(stored)) await parts.folder.remove(file);
        };
        const id = await idempotency.once({ ...repeatable, content, discard }, async (alsoWrite) => {
          try {
            return await comparisons.start(caller, params.name, options, alsoWrite);
          } catch (error) {
            await discard();
            throw error;
          }
        });
        return accepted({ id });
      },
    }),

    operation('GET', PATH, {
      ...REMOTE_SECTION,
      id: 'listComparisons',
      summary: 'Lista as comparações de uma empresa, da mais nova para a mais antiga',
      description: 'São guardadas por 30 dias.',
      query: t.Object({ cpfCnpjRaiz: companySchema(rules), remote: t.Optional(RemoteName) }),
      success: t.Array(ComparisonForm),
      guard: access.representsQueryCompany,
      handle: ({ query }) => ok(comparisons.list(query.cpfCnpjRaiz, query.remote).map(comparisonOf)),
    }),

    operation('GET', `${PATH}/:id`, {
      ...REMOTE_SECTION,
      id: 'getComparison',
      summary: 'Mostra o andamento de uma comparação, e quantos registros há em cada estado',
      params: Id,
      success: ComparisonForm,
      handle: ({ caller, params }) => ok(comparisonOf(comparisons.find(caller, params.id))),
    }),

    operation('DELETE', `${PATH}/:id`, {
      ...REMOTE_SECTION,
      id: 'cancelComparison',
      right: 'aprovacao',
      summary: 'Cancela uma comparação que espera ou está em andamento',
      description: 'Uma que já terminou fica como está.',
      params: Id,
      otherSuccess: [204],
      handle: ({ caller, params }) => comparisons.cancel(caller, params.id),
    }),

    operation('GET', `${PATH}/:id/records`, {
      ...REMOTE_SECTION,
      id: 'listComparedRecords',
      summary: 'Lista os registros de uma comparação, com o que difere em cada um',
      params: Id,
      query: t.Object({
        ...Filter,
        limit: t.Optional(
          t.Integer({
            minimum: 1,
            maximum: LIMIT_MAX,
            default: LIMIT_DEFAULT,
            description: 'Quantos, no máximo.',
          }),
        ),
        after: t.Optional(
          t.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'O next da página anterior.',
          }),
        ),
      }),
      success: ComparedPage,
      handle: async ({
        caller,
        quotaOwner,
        params,
        query: { limit = LIMIT_DEFAULT, after = 0, ...filter },
      }) => {
        const comparison = comparisons.findDone(caller, params.id);
        const read = {
          kind: 'remoteRecords',
          filter: { comparisonId: comparison.id, ...filter },
          after,
          limit,
        } as const;
        const content = await reads.read(read, readers.quotaOwnerOf(quotaOwner, comparison)).begin();
        return { headers: { 'Content-Type': JSON_TYPE }, content: cutWith(content, streamOf(content)) };
      },
    }),

    ...tableOperations({
      ...REMOTE_SECTION,
      path: `${PATH}/:id/records`,
      subject: 'os registros de uma comparação',
      params: Id,
      query: t.Object(Filter),
      reads,
      clock,
      csv: { id: 'downloadComparedRecordsCsv' },
      xlsx: { id: 'downloadComparedRecordsXlsx' },
      nameOf: ({ caller, params }) => {
        const { id, remote, cpfCnpjRaiz } = comparisons.findDone(caller, params.id);
        return `comparacao_${remote}_${cpfCnpjRaiz}_${id}`;
      },
      quotaOwnerOf: ({ caller, quotaOwner, params }) =>
        readers.quotaOwnerOf(quotaOwner, comparisons.findDone(caller, params.id)),
      readOf: ({ params, query }) =>
        ({ kind: 'remoteRecordTable', filter: { comparisonId: params.id, ...query } }) as const,
    }),

    operation('GET', `${PATH}/:id/files.zip`, {
      ...REMOTE_SECTION,
      id: 'downloadRemoteFiles',
      summary: 'Baixa o que falta enviar, em arquivos para a tela de upload',
      description:
        'Arquivos de até 100 itens, numerados na ordem em que são enviados lá, com LEIA-ME.txt. É o caminho de quem tem o certificado em um token, e de máquinas sem rede.',
      params: Id,
      query: t.Object({
        kinds: wordList(REMOTE_KINDS, 'De que tipos'),
        states: wordList(SENT_STATES, 'Em que estados'),
      }),
      produces: 'application/zip',
      handle: async ({ caller, quotaOwner, params, query }) => {
        const comparison = comparisons.findDone(caller, params.id);
        const { id, remote, cpfCnpjRaiz } = comparison;
        const filter = {
          kinds: requestedWordsIn(REMOTE_KINDS, query.kinds),
          states: requestedWordsIn(SENT_STATES, query.states),
        };
        const read = reads.read(
          { kind: 'remoteFiles', comparisonId: id, remote, cpfCnpjRaiz, ...filter },
          readers.quotaOwnerOf(quotaOwner, comparison),
        );
        await read.begin();
        return {
          headers: downloadHeaders(`remoto_${remote}_${cpfCnpjRaiz}_${id}.zip`, 'application/zip'),
          content: cutWith(read, streamOf(zipOfTexts(filesIn(read), clock.now()))),
        };
      },
    }),

    operation('POST', `${PATH}/:id/pairs`, {
      ...REMOTE_SECTION,
      id: 'decidePair',
      right: 'aprovacao',
      summary: 'Decide que registros de lá correspondem aos daqui, ou qual conteúdo vale',
      description:
        'De um registro ambiguo: qual de lá ele é, ou que é novo lá (remoteCodigo null). De um mudouNosDois: qual conteúdo vale (keep). Valem todas as decisões da lista, ou nenhuma, para a comparação mais nova e para as próximas; o catálogo não muda. A resposta tem os registros, na mesma ordem. Uma só pode vir sem a lista; a resposta é então só o registro.',
      params: Id,
      bodyForm: 'raw',
      accepts: ['application/json'],
      jsonBody: PairRequests,
      success: t.Array(ComparedRecord),
      handle: async ({ caller, quotaOwner, params, request }) => {
        const body = await readJson(request, { limit: PAIRS_MAX_BYTES, optional: false });
        const isList = Array.isArray(body);
        const requests = isList ? decoded(PairRequests, body) : [decoded(PairRequest, body)];
        const pathOf = (index: number) => (isList ? `/${index}` : '');
        const records = await comparisons.decidePairs(caller, quotaOwner, params.id, requests, pathOf);
        return ok(isList ? records : (records[0] as ComparedRecord)); // each decision has its record
      },
    }),
  ];
}

/** Throws 400. */
function decoded<S extends TSchema>(schema: S, body: unknown): Static<S> {
  const { value, problems } = decode(asSchema(schema), body);
  if (problems.length > 0) throw malformed(problems);
  return value;
}

/** Reads the request body, which names one company or several. Throws 400. */
async function readFetchedBody(request: Request, schema: FetchedForm): Promise<FetchedForm['static']> {
  const fetched = decoded(schema, await readJson(request, { limit: ORDER_MAX_BYTES, optional: false }));
  if ((fetched.cpfCnpjRaiz === undefined) !== (fetched.companies === undefined)) return fetched;
  throw malformed([
    fieldProblem('companies', 'informe cpfCnpjRaiz ou companies, um dos dois.', '/companies'),
  ]);
}

/** Yields each file of a read as one text. */
async function* filesIn(read: AsyncIterable<Uint8Array>): AsyncGenerator<UploadFile> {
  for await (const bytes of read) yield JSON.parse(new TextDecoder().decode(bytes)) as UploadFile;
}
