/**
 * The flags that stand for the members of an API request about remotes. Messages of the API name these
 * members, and the command line shows them with the flags instead.
 */
import { DomainError, type Problem, messageFor } from '../errors.ts';

const FLAGS: Readonly<Record<string, string>> = {
  url: '--url',
  clientId: '--client-id',
  clientSecret: '--secret-file',
  certificate: '--pfx ou --pem',
  password: '--password-file',
  ca: '--ca',
  perHour: '--per-hour',
  downtime: '--downtime',
  companies: '--empresa',
  cpfCnpjRaiz: '--empresa',
  rules: '--rules',
  name: '<nome>',
  produtos: '--produtos',
  maxDeactivations: '--max-deactivations',
};

/** Runs `work`. Throws its refusals with the flags of the command line instead of the API's members. */
export async function withFlagNames<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problems = error.problems.map(namingFlag);
    const [{ message } = error, ...more] = problems;
    throw new DomainError(error.kind, more.length === 0 ? message : error.message, {
      ...error.options,
      problems,
    });
  }
}

function namingFlag(problem: Problem): Problem {
  const flag = problem.label === undefined ? undefined : FLAGS[problem.field ?? ''];
  return flag === undefined ? problem : { ...problem, message: messageFor(problem, flag), label: flag };
}
