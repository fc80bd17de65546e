/** The query of failures (specification, Event subscription endpoints; contract section 9). */
import type { Day } from '../../clock.ts';
import { malformed } from '../../errors.ts';
import { JSON_TYPE } from '../../http/answers.ts';
import { readJson } from '../../http/body.ts';
import { type Operation, operation } from '../../http/operation.ts';
import { arrayText, streamOf } from '../../reading/stream.ts';
import type { Caller } from '../../session/model.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { decode } from '../../validation/decode.ts';
import { asSchema } from '../../validation/schema.ts';
import { CompactDay, ListedFailure, toDay } from './model.ts';
import type { FailureService } from './service.ts';
import { t } from '../../validation/type.ts';

const FailureQuery = t.Object({ data: t.Optional(CompactDay) }, { additionalProperties: false });

export function failureRoutes(failures: FailureService, bodyLimit: number): Operation<Caller>[] {
  return [
    operation('GET', '/portal/api/ext/webhook/falhas', {
      tag: 'Assinaturas de eventos',
      source: 'specification, Event subscription endpoints',
      needsUser: true,
      id: 'listFailures',
      summary: 'Lista as falhas de entrega de um dia, da mais antiga à mais nova',
      description:
        'Sem data: o dia de hoje. O corpo de um GET não chega ao servidor: uma requisição que traz um, e não traz data na consulta, é recusada (400).',
      query: FailureQuery,
      bodyForm: 'raw',
      success: t.Array(ListedFailure),
      handle: async ({ caller, query, request }) => {
        const day = query.data === undefined ? await dayInBody(request, bodyLimit) : toDay(query.data);
        return {
          headers: { 'Content-Type': JSON_TYPE },
          content: streamOf(arrayText(failures.listOfDay(caller.documento, day))),
        };
      },
    }),
  ];
}

/**
 * Reads `data` from the body, where an older revision of the specification has it. Throws 400, 413. Bun's
 * server drops the body of a GET. A request with a declared body that did not arrive is refused, because its
 * `data` is unknown and the failures of another day would be returned.
 */
async function dayInBody(request: Request, bodyLimit: number): Promise<Day | undefined> {
  if (request.body === null) {
    if (hasBodyHeaders(request)) throw malformed([BODY_NOT_RECEIVED]);
    return undefined;
  }
  const body = await readJson(request, { limit: bodyLimit, optional: false });
  const { value, problems } = decode(asSchema(FailureQuery), body);
  if (problems.length > 0) throw malformed(problems);
  const { data } = value as typeof FailureQuery.static; // the schema guarantees it
  return data === undefined ? undefined : toDay(data);
}

const hasBodyHeaders = ({ headers }: Request): boolean =>
  headers.has('transfer-encoding') || !/^0*$/.test(headers.get('content-length') ?? '');

const BODY_NOT_RECEIVED = fieldProblem(
  'data',
  'o corpo de um GET não chega ao servidor; informe o dia na consulta, no formato ddMMyyyy: /portal/api/ext/webhook/falhas?data=20112026. Sem corpo e sem data valem as falhas de hoje.',
  'data',
);
