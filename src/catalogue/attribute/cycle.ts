/** Attributes that condition or contain themselves, over however many steps: no value could ever satisfy them. */
import type { Problem } from '../../errors.ts';
import { TABLE_CODES } from './codes.ts';
import type { Link } from './table-detail.ts';

/** One fault for the first cycle found among the links, none when there is no cycle. */
export function cycleFaults(links: readonly Link[]): readonly Problem[] {
  const remaining = withoutLooseEnds(links);
  const [start] = remaining;
  if (start === undefined) return [];
  // Every remaining attribute has a remaining predecessor: walking back must come round.
  const back = new Map(remaining.map((link) => [link.to, link]));
  const seen = new Map<string, number>();
  const steps: string[] = [];
  for (let at = start.to; ;) {
    const before = seen.get(at);
    if (before !== undefined)
      return [fault([...steps.slice(before), at].reverse(), back.get(at)?.pointer ?? start.pointer)];
    seen.set(at, steps.length);
    steps.push(at);
    at = back.get(at)?.from ?? start.from;
  }
}

/** The links left when attributes that nobody points at are taken away, again and again. */
function withoutLooseEnds(links: readonly Link[]): readonly Link[] {
  const incoming = new Map<string, number>();
  const outgoing = new Map<string, Link[]>();
  for (const link of links) {
    incoming.set(link.from, incoming.get(link.from) ?? 0);
    incoming.set(link.to, (incoming.get(link.to) ?? 0) + 1);
    const others = outgoing.get(link.from);
    if (others === undefined) outgoing.set(link.from, [link]);
    else others.push(link);
  }
  const loose = [...incoming].filter(([, count]) => count === 0).map(([code]) => code);
  for (let code = loose.pop(); code !== undefined; code = loose.pop()) {
    for (const { to } of outgoing.get(code) ?? []) {
      const left = (incoming.get(to) ?? 0) - 1;
      incoming.set(to, left);
      if (left === 0) loose.push(to);
    }
  }
  return links.filter(({ from, to }) => (incoming.get(from) ?? 0) > 0 && (incoming.get(to) ?? 0) > 0);
}

const fault = (steps: readonly string[], pointer: string): Problem => ({
  code: TABLE_CODES.cycle.code,
  message: `${pointer}: atributos em círculo, ${steps.join(' → ')}; um atributo não pode condicionar nem conter a si mesmo.`,
  field: 'codigo',
  path: pointer,
});
