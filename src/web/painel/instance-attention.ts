/**
 * Attention items of the instance for an administrator: refused writes, findings of the diagnosis, failing
 * receivers of all users.
 */
import type { DeliverySummary, Finding, Readiness } from '../api/answers.ts';
import { dayText } from '../words.ts';
import type { AttentionLine } from './attention-card.tsx';

export interface InstanceFacts {
  readonly readiness?: Readiness | undefined;
  /** The reason why the server refuses writes now. */
  readonly refusal?: string | undefined;
  /** Findings of `doctor`, which only administrators read. */
  readonly findings?: readonly Finding[] | undefined;
  readonly deliveries?: DeliverySummary | undefined;
  readonly isAdministrator: boolean;
}

const TONES: readonly AttentionLine['tone'][] = ['error', 'warning', 'info'];

/** Returns the items, most urgent first. */
export const instanceAttention = (facts: InstanceFacts): readonly AttentionLine[] =>
  [...refusalLines(facts), ...findingLines(facts), ...failingReceivers(facts)].toSorted(
    (a, b) => TONES.indexOf(a.tone) - TONES.indexOf(b.tone),
  );

const DIAGNOSIS = { href: '/administracao?aba=diagnostico', action: 'Ver diagnóstico' };
const COPIES: Readonly<Record<string, string>> = { backup: 'Fazer cópia', drill: 'Testar cópia' };

function refusalLines({ refusal, isAdministrator }: InstanceFacts): readonly AttentionLine[] {
  if (refusal === undefined) return [];
  const message = `O serviço não aceita gravações agora. ${refusal}`;
  return [{ key: 'readiness', tone: 'error', message, ...(isAdministrator && { place: DIAGNOSIS }) }];
}

/**
 * Returns the findings that are not good, such as a full disk, a certificate, a volatile folder, missing
 * backups.
 */
const findingLines = ({ findings = [] }: InstanceFacts): readonly AttentionLine[] =>
  findings.flatMap(({ check, level, message, remedy }) =>
    level === 'error' || level === 'warning'
      ? [
          {
            key: check,
            tone: level,
            message: remedy === null ? message : `${message} ${remedy}`,
            place:
              COPIES[check] === undefined
                ? DIAGNOSIS
                : { href: '/administracao?aba=copias', action: COPIES[check] },
          },
        ]
      : [],
  );

const failingReceivers = ({ deliveries }: InstanceFacts): readonly AttentionLine[] =>
  (deliveries?.failing ?? []).map(({ subscriptionId, evento, endpoint, since }) => ({
    key: `assinatura-${subscriptionId}`,
    tone: 'warning',
    message: `A assinatura ${subscriptionId} falha desde ${dayText(since)}: ${evento}, para ${endpoint}`,
    place: { href: `/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`, action: 'Ver entregas' },
  }));
