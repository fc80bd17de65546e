/** Whoever writes a version saw another one when it began: between the two somebody else may have written. */
import { useRef, useState } from 'preact/hooks';
import type { ListedVersion } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Result, faultOf } from '../api/result.ts';
import { moment, numberText } from '../words.ts';
import { madeSince } from './differences.ts';

export interface Begun {
  /** `Este produto` */
  readonly what: string;
  /** Of its versions. */
  readonly path: string;
  /** The version in force when it began, or the one that is put right. */
  readonly versao: string;
  readonly rectifies: boolean;
}

export interface Newer {
  /** What stands in the way, oldest first, until it is accepted. */
  readonly since: readonly ListedVersion[];
  /** Writes, where nobody has since. */
  readonly unlessWritten: <T>(write: () => Promise<Result<T>>) => Promise<Result<T>>;
  /** It is written all the same. */
  readonly accept: () => void;
}

/** `undefined`: nothing was there before. */
export function useNewer(begun: Begun | undefined): Newer {
  const [since, setSince] = useState<readonly ListedVersion[]>([]);
  const seenRef = useRef<string>(undefined);
  return {
    since,
    accept: () => {
      seenRef.current = since.at(-1)?.versao ?? seenRef.current;
    },
    unlessWritten: async (write) => {
      if (begun === undefined) return write();
      const now = await api.get<readonly ListedVersion[]>(begun.path);
      if (!now.ok) return now;
      const made = madeSince(now.value, seenRef.current ?? begun.versao, begun.rectifies);
      setSince(made);
      const last = made.at(-1);
      return last === undefined ? write() : { ok: false, error: faultOf(saidOf(last, begun)) };
    },
  };
}

const saidOf = (
  { versao, madeAt, madeBy, madeByName }: ListedVersion,
  { what, versao: from, rectifies }: Begun,
): string =>
  `${what} já ${rectifies ? 'tem' : 'é'} a versão ${versao} (por ${madeByName ?? numberText(madeBy)}, em ${moment(madeAt)}), e o que está aqui partiu da versão ${from}. Nada foi gravado; veja o que mudou.`;
