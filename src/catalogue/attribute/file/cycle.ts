/**
 * Finds attributes that condition or contain themselves, over any number of steps: no value could ever
 * satisfy them.
 */
import type { Problem } from '../../../errors.ts';
import { memberOf } from '../../../pointer.ts';
import { TABLE_CODES } from '../words/codes.ts';
import type { Link } from './detail.ts';

/** Maximum number of attributes of a cycle in the message. */
const STEPS_MAX = 10;

/** Returns one fault for a cycle, at the position in the file that closes it; no fault without a cycle. */
export function cycleFaults(links: readonly Link[]): readonly Problem[] {
  const cycle = findCycle(linksInCycles(links));
  if (cycle.length === 0) return [];
  const members = new Set(cycle);
  const closing = links.findLast((link) => members.has(link)) as Link;
  const start = cycle.indexOf(closing) + 1;
  const steps = [closing, ...cycle.slice(start), ...cycle.slice(0, start)].map(({ to }) => to);
  const listedSteps = steps.length > STEPS_MAX ? [...steps.slice(0, STEPS_MAX), '…', closing.to] : steps;
  const message = `${closing.pointer}: atributos em círculo, ${listedSteps.join(' → ')}; um atributo não pode condicionar nem conter a si mesmo.`;
  return [{ code: TABLE_CODES.cycle.code, message, field: memberOf(closing.pointer), path: closing.pointer }];
}

/** Returns the links of one cycle in order, given links whose every `from` is the `to` of another. */
function findCycle(links: readonly Link[]): readonly Link[] {
  const linkTo = new Map(links.map((link) => [link.to, link]));
  const path: Link[] = [];
  const positions = new Map<string, number>();
  for (let link = links[0]; link !== undefined; link = linkTo.get(link.from)) {
    const firstVisit = positions.get(link.to);
    if (firstVisit !== undefined) return path.slice(firstVisit).reverse();
    positions.set(link.to, path.length);
    path.push(link);
  }
  return [];
}

/** Returns the links that may form cycles: it removes attributes without incoming links until none is left. */
function linksInCycles(links: readonly Link[]): readonly Link[] {
  const incoming = new Map<string, number>();
  const outgoing = new Map<string, Link[]>();
  for (const link of links) {
    incoming.set(link.from, incoming.get(link.from) ?? 0);
    incoming.set(link.to, (incoming.get(link.to) ?? 0) + 1);
    const others = outgoing.get(link.from);
    if (others === undefined) outgoing.set(link.from, [link]);
    else others.push(link);
  }
  const unlinked = [...incoming].filter(([, count]) => count === 0).map(([code]) => code);
  for (let code = unlinked.pop(); code !== undefined; code = unlinked.pop()) {
    for (const { to } of outgoing.get(code) ?? []) {
      const remaining = (incoming.get(to) ?? 0) - 1;
      incoming.set(to, remaining);
      if (remaining === 0) unlinked.push(to);
    }
  }
  return links.filter(({ from, to }) => (incoming.get(from) ?? 0) > 0 && (incoming.get(to) ?? 0) > 0);
}
