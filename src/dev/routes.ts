/** Operations that only a development instance has: moving its clock, and a reset (contract section 13). */
import { type Clock, DAY_MS, type EpochMs, type RealTime, TestClock } from '../clock.ts';
import { DomainError, malformed } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { type OnLateFault, keptAlive } from '../http/kept-alive.ts';
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { DueWork } from '../jobs/model.ts';
import type { Caller } from '../session/model.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { travel } from './time-travel.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { momentOf } from '../validation/moment.ts';
import { form } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

const operation = operationsIn({
  tag: 'Desenvolvimento',
  source: 'contract, section 13',
  access: 'administrator',
  right: 'none',
});
const ClockState = form('ClockState', 'O relógio desta instância.', {
  now: momentOf('O instante do relógio.'),
  test: t.Boolean({ description: 'Se é um relógio de teste, que pode ser movido.' }),
});

export function devRoutes({
  clock,
  dueWork,
  reset,
  realTime,
  onLateFault,
}: {
  readonly clock: Clock;
  readonly dueWork: readonly DueWork[];
  readonly reset: () => Promise<void>;
  readonly realTime: RealTime;
  /** Called for an error of the clock move after the answer started. */
  readonly onLateFault: OnLateFault;
}): Operation<Caller>[] {
  const state = () => ({ now: momentText(clock.now()), test: clock.test });
  return [
    operation('GET', '/appliance/api/clock', {
      access: 'user',
      id: 'getClock',
      summary: 'Que horas são nesta instância',
      success: ClockState,
      handle: () => ok(state()),
    }),
    operation('POST', '/appliance/api/clock', {
      access: 'user',
      id: 'moveClock',
      summary: 'Move o relógio de teste; responde quando o que venceu no caminho foi feito',
      body: t.Object(
        {
          advance: t.Optional(
            t.String({ maxLength: 40, examples: ['P30D'], description: 'Duração ISO 8601.' }),
          ),
          set: t.Optional(
            t.String({ maxLength: 40, description: 'Instante ISO 8601 (sem fuso, o de Brasília).' }),
          ),
        },
        {
          additionalProperties: false,
          'x-form': 'ClockMove',
          description: 'Quanto avançar, ou para quando ir; só um dos dois.',
          examples: [{ advance: 'P30D' }],
        },
      ),
      success: ClockState,
      handle: async ({ body }) => {
        if (!(clock instanceof TestClock)) throw noTestClock();
        // A move of years, hour by hour, can take longer than the idle limit of a connection.
        return keptAlive(
          travel(clock, targetOf(body, clock.now()), dueWork).then(state),
          realTime,
          onLateFault,
        );
      },
    }),
    operation('POST', '/appliance/api/reset', {
      id: 'reset',
      summary: 'Volta aos dados do primeiro início',
      otherSuccess: [204],
      handle: () => reset(),
    }),
  ];
}

function noTestClock(): DomainError {
  return new DomainError(
    'unprocessable',
    'Esta instância usa o relógio da máquina; inicie-a com --clock para movê-lo.',
  );
}

/**
 * Limits of the clock. Every instant between them, and every deadline counted from it, has a four-digit year
 * in Brasília too.
 */
const EARLIEST = Date.parse('1970-01-02T00:00:00Z');
const LATEST = Date.parse('9000-01-01T00:00:00Z');
/** The maximum of one move. Due work runs before the answer, so a move of centuries would never end. */
const FARTHEST_DAYS = 3660;

function targetOf({ advance, set }: { advance?: string; set?: string }, now: EpochMs): EpochMs {
  if ((advance === undefined) === (set === undefined))
    throw refusal('advance', 'informe advance (duração) ou set (instante), e só um deles');
  const [member, text] = set === undefined ? (['advance', advance ?? ''] as const) : (['set', set] as const);
  const target = member === 'set' ? targetInstant(text) : now + durationOf(text);
  if (target < EARLIEST || target > LATEST || target - now > FARTHEST_DAYS * DAY_MS)
    throw refusal(
      member,
      `recebido ${formatValue(text)}; o relógio anda de 1970-01-02 a 9000-01-01, e no máximo ${FARTHEST_DAYS} dias para a frente de cada vez`,
    );
  return target;
}

function targetInstant(text: string): EpochMs {
  const instant = instantOf(text);
  if (instant === undefined)
    throw refusal(
      'set',
      `recebido ${formatValue(text)}; aceita um instante ISO 8601, por exemplo 2026-01-31T12:00:00Z (sem fuso, o de Brasília)`,
    );
  return instant;
}

/** Returns milliseconds. A day has 24 hours in every time zone. */
function durationOf(text: string): number {
  try {
    return Temporal.Duration.from(text).total({ unit: 'milliseconds', relativeTo: '2026-01-01' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refusal(
      'advance',
      `recebido ${formatValue(text)}; aceita uma duração ISO 8601, por exemplo P30D ou PT1H`,
    );
  }
}

const refusal = (member: string, reason: string): DomainError =>
  malformed([fieldProblem(member, `${reason}.`)]);
