/**
 * The flags that stand for the members of an API request about remotes. The API's messages name nothing else
 * of the API.
 */
import { DomainError, type Problem } from '../errors.ts';

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
export async function toldInFlags<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problems = error.problems.map(atFlag);
    const [{ message } = error, ...more] = problems;
    throw new DomainError(error.kind, more.length === 0 ? message : error.message, {
      ...error.options,
      problems,
    });
  }
}

function atFlag(problem: Problem): Problem {
  const { field, message } = problem;
  const flag = field === null ? undefined : FLAGS[field];
  const end = message.indexOf(':');
  const isPlaced = flag !== undefined && message.slice(0, end).split('/')[0] === field;
  return isPlaced ? { ...problem, message: `${flag}${message.slice(end)}` } : problem;
}
