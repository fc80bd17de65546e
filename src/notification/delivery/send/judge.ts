import { lruCache } from '../../../system/lru-cache.ts';
import { type AddressPolicy, type Verdict, judgeAddress } from './address-policy.ts';

/** Decides if an address may be dialled. An address from `entrega.mapa` may also be loopback. */
export type Judge = (address: string, isMapped: boolean) => Verdict;

const VERDICTS_MAX = 1000;

/** Judges each address once and caches the verdict: it depends only on the address and a constant policy. */
export function judgeUnder(policy: AddressPolicy): Judge {
  const mappedPolicy = { ...policy, loopback: true };
  const resolved = lruCache<string, Verdict>(VERDICTS_MAX);
  const mapped = lruCache<string, Verdict>(VERDICTS_MAX);
  return (address, isMapped) => {
    const verdicts = isMapped ? mapped : resolved;
    let verdict = verdicts.get(address);
    if (verdict === undefined) {
      verdict = judgeAddress(address, isMapped ? mappedPolicy : policy);
      verdicts.set(address, verdict);
    }
    return verdict;
  };
}
