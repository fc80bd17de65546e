/**
 * Work that was ended because of the cost of its content (contract section 16). Its owner learns the
 * reason.
 */
import { DomainError } from '../errors.ts';

export type CostKind = 'memory' | 'time';

/** The status is 422 unless the caller gives another code. */
export class CostlyWork extends DomainError {
  readonly cost: CostKind;

  constructor(cost: CostKind, message: string) {
    super('unprocessable', message);
    this.cost = cost;
  }
}

const MIB = 2 ** 20;

export const tooMuchMemory = (bytes: number): CostlyWork =>
  new CostlyWork(
    'memory',
    `Este trabalho pediu mais memória do que um trabalho pode usar (${Math.round(bytes / MIB)} MiB) e foi encerrado; envie menos de uma vez.`,
  );

export const tooMuchTime = (seconds: number): CostlyWork =>
  new CostlyWork(
    'time',
    `Este trabalho não terminou em ${seconds} segundos e foi encerrado; envie menos de uma vez.`,
  );
