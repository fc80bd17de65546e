import { latest } from '../../../system/latest.ts';
import { type AddressPolicy, type Verdict, judgeAddress } from './address-policy.ts';

/** Whether an address may be dialled; one that `entrega.mapa` names may be loopback too. */
export type Judge = (address: string, isMapped: boolean) => Verdict;

const JUDGED_MAX = 1000;

/** Judges each address once: the verdict is a function of the address and a policy that does not change. */
export function judgeUnder(policy: AddressPolicy): Judge {
  const mappedPolicy = { ...policy, loopback: true };
  const resolved = latest<string, Verdict>(JUDGED_MAX);
  const mapped = latest<string, Verdict>(JUDGED_MAX);
  return (address, isMapped) => {
    const known = isMapped ? mapped : resolved;
    let verdict = known.get(address);
    if (verdict === undefined) {
      verdict = judgeAddress(address, isMapped ? mappedPolicy : policy);
      known.set(address, verdict);
    }
    return verdict;
  };
}
