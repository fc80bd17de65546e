/** Runs (contract section 18), as they are stored. */
import type { EpochMs } from '../../clock.ts';
import { REMOTE_KINDS, type RemoteKind, type RemoteState } from '../compare/model.ts';

export const DIRECTIONS = ['send', 'fetch'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const RUN_STATES = ['queued', 'running', 'resting', 'paused', 'done', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const STEP_OPERATIONS = ['include', 'newVersion', 'deactivate', 'link', 'unlink'] as const;
export type StepOperation = (typeof STEP_OPERATIONS)[number];

/** Outcomes as they are reported. An intent is reported as pending until more is known. */
export const STEP_OUTCOMES = ['pending', 'sent', 'adopted', 'refused', 'uncertain', 'skipped'] as const;
export type StepOutcome = (typeof STEP_OUTCOMES)[number];
export type KeptOutcome = StepOutcome | 'intent';

/** States that may be sent: local changes that a comparison found, and steps that a run left open. */
export const SENDABLE_STATES = ['soAqui', 'mudouAqui', 'desativadoAqui', 'incerto', 'recusado'] as const;
/** States that may be fetched. */
export const FETCHABLE_STATES = ['mudouLa', 'soLa', 'desativadoLa'] as const;
export const RUN_KINDS = REMOTE_KINDS;

/** Records of a kind that a part of a run changes, by some operations. */
export type Phase = readonly [kind: RemoteKind, operations: readonly StepOperation[]];

/** Phases in order: operators, products, links, unlinks, deactivations. */
export const PHASES: readonly Phase[] = [
  ['operador', ['include', 'newVersion']],
  ['produto', ['include', 'newVersion']],
  ['vinculo', ['link']],
  ['vinculo', ['unlink']],
  ['produto', ['deactivate']],
  ['operador', ['deactivate']],
];

/** The requested part of a comparison. An absent member selects everything of the direction. */
export interface RunFilter {
  readonly kinds?: readonly RemoteKind[] | undefined;
  readonly states?: readonly RemoteState[] | undefined;
  readonly codigos?: readonly string[] | undefined;
}

/** Counts of what is never sent, as far as the plan knows them. */
export interface NotSent {
  readonly drafts: number;
  readonly pastVersions: number;
  readonly concessionActs: number;
}

export interface Run {
  readonly id: number;
  readonly remoteId: number;
  readonly remote: string;
  readonly cpfCnpjRaiz: string;
  readonly comparisonId: number;
  readonly direction: Direction;
  readonly documento: string;
  /** The key or certificate of the session that ordered it. `null`: the command line, or an older version. */
  readonly key: string | null;
  readonly asked: RunFilter;
  readonly simulated: boolean;
  readonly state: RunState;
  readonly planned: boolean;
  readonly again: boolean;
  readonly refusedInRow: number;
  readonly reason: string | null;
  readonly restsUntil: EpochMs | null;
  readonly restsFor: string | null;
  readonly notSent: NotSent | null;
  /** The imports of a run that fetches. */
  readonly imports: readonly number[];
  readonly at: EpochMs;
}

/** A remote record that a step met and did not adopt. */
export interface StepCandidate {
  readonly there: string;
  readonly name: string;
  readonly situacao: string;
}

export interface Step {
  readonly n: number;
  readonly kind: RemoteKind;
  readonly operation: StepOperation;
  readonly localKey: string;
  readonly remoteKey: string | null;
  readonly name: string;
  readonly localVersao: string | null;
  readonly localFingerprint: number | null;
  readonly remoteFingerprint: number | null;
  readonly outcome: KeptOutcome;
  readonly due: EpochMs | null;
  readonly lookups: number;
  readonly attempts: number;
  readonly sentAt: EpochMs | null;
  readonly remoteVersao: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly candidates: readonly StepCandidate[];
  readonly at: EpochMs | null;
}

/** A step as the plan creates it. */
export type PlannedStep = Pick<
  Step,
  | 'kind'
  | 'operation'
  | 'localKey'
  | 'remoteKey'
  | 'name'
  | 'localVersao'
  | 'localFingerprint'
  | 'remoteFingerprint'
  | 'message'
> & {
  readonly outcome: 'pending' | 'skipped';
  /** The number of list requests before the step is sent. */
  readonly lookupsBefore: number;
};
