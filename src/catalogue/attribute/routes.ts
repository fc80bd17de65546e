/**
 * Routes that administer attribute tables (contract section 13); `public-routes.ts` has the public
 * interface.
 */
import { type DomainError, unprocessable } from '../../errors.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { closedForm, text } from '../../validation/forms.ts';
import type { Day, RealTime } from '../../clock.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import { type OnLateFault, keptAlive } from '../../http/kept-alive.ts';
import { readBytes, refuseOtherTypes } from '../../http/body.ts';
import { type Answer, type Operation, ok, operationsIn } from '../../http/operation.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { beginning } from '../../reading/stream.ts';
import type { Caller } from '../../session/model.ts';
import {
  ActivationRequest,
  ActivationResult,
  CancellationQuery,
  ChangesOfTable,
  ImpactQuery,
  ImpactResult,
  ListedTable,
  LoadedTable,
  TableId,
  TableOfHistory,
  TableOrigin,
} from './schemas.ts';
import { originAnswer } from './origin/answer.ts';
import type { OriginDownload } from './origin/from-settings.ts';
import type { OriginState } from './origin/model.ts';
import type { Origin } from './origin/origin.ts';
import { AttributeTableFile } from './serving/forms.ts';
import { type PublicRoutesParts, jsonAnswer, publicAttributeRoutes } from './public-routes.ts';
import type { AttributeService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface AttributeRoutesParts extends PublicRoutesParts {
  readonly origin: Origin;
  /** Downloads the file of an address. */
  readonly fetchFrom: (address: string) => ReturnType<OriginDownload['fetchFrom']>;
  readonly isDecided: (last: OriginState) => boolean;
  /** Setting `atributos.ativar`. */
  readonly activates: 'conferir' | 'sozinha';
  /** Maximum size of a file in bytes (setting `importacao.maximo`). */
  readonly maxBytes: number;
  readonly realTime: RealTime;
  readonly onLateFault: OnLateFault;
}

const PATH = '/appliance/api/attribute-tables';
const TAG = 'Tabelas de atributos';
const administration = operationsIn({ tag: TAG, source: 'contract, section 13', access: 'administrator' });
/** Operations for any signed-in user. */
const reading = operationsIn({ tag: TAG, source: 'contract, section 13' });

const FILE_TYPES = ['application/json', 'application/zip'] as const;
const CSV_TYPE = 'text/csv; charset=utf-8';

const ADDRESS_MAX = 500;

const refusedAddress = (reason: string): DomainError =>
  unprocessable([fieldProblem('/address', reason, 'address')]);

export function attributeRoutes({
  attributes,
  tableQueries,
  origin,
  fetchFrom,
  isDecided,
  activates,
  maxBytes,
  requiresProfile,
  realTime,
  onLateFault,
}: AttributeRoutesParts): Operation<Caller>[] {
  return [
    administration('POST', PATH, {
      id: 'loadAttributeTable',
      right: 'none',
      summary: 'Carrega uma tabela de atributos, sem colocá-la em vigor',
      description:
        'O arquivo público de atributos por NCM, em JSON ou zip. Um arquivo com erros é recusado com o lugar de cada um, e nada muda. O mesmo arquivo outra vez é a mesma tabela.',
      body: AttributeTableFile,
      bodyForm: 'raw',
      accepts: FILE_TYPES,
      bodyLimit: maxBytes,
      success: LoadedTable,
      handle: async ({ caller, request }) => {
        refuseOtherTypes(request, FILE_TYPES);
        return ok(await attributes.load(await readBytes(request, maxBytes), caller));
      },
    }),

    reading('GET', PATH, {
      id: 'listAttributeTables',
      summary: 'Lista as tabelas de atributos carregadas',
      success: t.Array(ListedTable),
      handle: () => ok(attributes.list()),
    }),

    administration('POST', `${PATH}/fetch`, {
      id: 'fetchAttributeTable',
      right: 'none',
      summary: 'Busca a tabela de atributos em um endereço, uma vez, e a carrega sem colocá-la em vigor',
      description:
        'Pelas mesmas raízes, proxy e limites de atributos.origem, que serve para buscá-la toda noite. O endereço em que o serviço público a publica está na página Atributos.',
      body: closedForm('AttributeTableFetch', 'De onde a tabela é buscada.', {
        address: text('O endereço: https, ou http em loopback.', 'https://nao-existe.invalid/tabela.json', {
          pattern: '^https?://',
          maxLength: ADDRESS_MAX,
        }),
      }),
      success: LoadedTable,
      handle: async ({ caller, body: { address } }) => {
        const download = await fetchFrom(address);
        if (!download.ok) throw refusedAddress(`a tabela não foi buscada: ${download.message}.`);
        return ok(await attributes.load(download.file, caller));
      },
    }),

    reading('GET', `${PATH}/origin`, {
      id: 'getAttributeTableOrigin',
      summary: 'Diz o que veio da última busca da tabela, e quando é a próxima',
      success: TableOrigin,
      handle: () => ok({ ...originAnswer(origin, isDecided), activates }),
    }),

    reading('GET', `${PATH}/history`, {
      id: 'listAttributeTableHistory',
      summary: 'Lista as últimas 400 tabelas, da mais nova à mais antiga, com quanto cada uma mudou',
      description: 'Também as que nunca estiveram em vigor, e as de que só a diferença foi guardada.',
      success: t.Array(TableOfHistory),
      handle: ({ quotaOwner }) => jsonAnswer(attributes.history(quotaOwner)),
    }),

    reading('GET', `${PATH}/:id/changes`, {
      id: 'getAttributeTableChanges',
      summary: 'Mostra o que uma tabela mudou desde a carregada antes dela',
      params: TableId,
      success: ChangesOfTable,
      handle: ({ params, quotaOwner }) => jsonAnswer(attributes.changes(params.id, quotaOwner)),
    }),

    reading('GET', `${PATH}/:id/impact`, {
      id: 'getAttributeTableImpact',
      summary: 'Mostra o que muda se a tabela entrar em vigor',
      description:
        'A diferença para a tabela em vigor e os produtos ativos que deixariam de ser válidos hoje, ou no dia on, por empresa e NCM; um administrador vê os de todas as empresas, os demais os das que representam. Nada muda. Com formato=csv, só os produtos, uma linha por problema.',
      params: TableId,
      query: ImpactQuery,
      success: ImpactResult,
      alsoProduces: ['text/csv'],
      handle: ({ caller, params, query, quotaOwner }) =>
        impactAnswer(attributes, params.id, query.formato ?? 'json', query.on, caller, quotaOwner),
    }),

    reading('GET', `${PATH}/:id/impact.csv`, {
      id: 'downloadAttributeTableImpact',
      summary: 'Baixa os produtos que deixariam de ser válidos, uma linha por problema',
      params: TableId,
      query: t.Pick(ImpactQuery, ['on']),
      produces: 'text/csv',
      handle: ({ caller, params, query, quotaOwner }) =>
        impactAnswer(attributes, params.id, 'csv', query.on, caller, quotaOwner),
    }),

    administration('POST', `${PATH}/:id/activate`, {
      id: 'activateAttributeTable',
      right: 'none',
      summary: 'Coloca a tabela em vigor, agora ou em um dia',
      description:
        'Agora (sem on, ou com o dia de hoje): responde quando todos os produtos ativos foram conferidos, com espaços antes do JSON enquanto isso demora (se falhar então, a conexão é cortada); os que deixam de ser válidos são desativados pelo sistema. Em um dia futuro: o mesmo acontece às 00:05 desse dia, horário de Brasília. Se em alguma empresa mais produtos seriam desativados que o maior de 10 e 5 % dos ativos, é preciso dizer em expected quantos são ao todo: 422 APPL-ER0451, que diz o número.',
      params: TableId,
      body: ActivationRequest,
      bodyForm: 'optional-json',
      success: ActivationResult,
      example: { on: '2027-01-01' },
      handle: async ({ caller, quotaOwner, params, body }) => {
        const { on, expected } = (body as typeof body | undefined) ?? {}; // may be missing, although its schema does not say so
        return keptAlive(
          attributes.activate(params.id, on, caller, quotaOwner, expected),
          realTime,
          onLateFault,
        );
      },
    }),

    administration('DELETE', `${PATH}/:id/activate`, {
      id: 'cancelAttributeTableActivation',
      right: 'none',
      summary: 'Cancela a entrada em vigor da tabela em um dia futuro',
      description:
        'O que foi agendado com on: só o desse dia, ou o de todos (os dias estão em scheduledOn da lista). Uma tabela que já está em vigor continua em vigor, até que outra entre.',
      params: TableId,
      query: CancellationQuery,
      otherSuccess: [204],
      handle: ({ caller, params, query }) => attributes.cancel(params.id, query.on, caller),
    }),

    ...publicAttributeRoutes({ attributes, tableQueries, requiresProfile }),
  ];
}

/**
 * Streams the impact while it is computed; a failure before the first chunk still becomes a normal error
 * response.
 */
async function impactAnswer(
  attributes: AttributeService,
  id: number,
  form: 'json' | 'csv',
  on: Day | undefined,
  { administrador, companies }: Caller,
  quotaOwner: QuotaOwner,
): Promise<Answer> {
  const content = await beginning(
    attributes.impact(id, form, quotaOwner, on, administrador ? null : [...companies.keys()]),
  );
  if (content === undefined) throw new Error('An impact always has a text.');
  const headers =
    form === 'csv'
      ? { 'Content-Type': CSV_TYPE, 'Content-Disposition': `attachment; filename="impacto_tabela_${id}.csv"` }
      : { 'Content-Type': JSON_TYPE };
  return { headers, content };
}
