/** What the network tells of one process, as long as that lives. */
import type { Machine } from './machine.ts';
import type { Exchange, Witness } from './network.ts';
import type { Lifecycle } from './world.ts';

interface Onlooker {
  seeSending(): void;
  seeEnding(exchange: Exchange): void;
}

/** A violation ends the simulation, but is nothing that the process could hear of. */
export function witnessOf(machine: Machine, lifecycle: Lifecycle, operator: Onlooker): Witness {
  const { traffic } = machine;
  const watched = (look: (exchange: Exchange) => void) => (exchange: Exchange) => {
    if (!lifecycle.alive) return;
    machine.stir();
    machine.guarded(() => look(exchange));
  };
  return {
    onSend: watched((exchange) => {
      machine.note(`send event ${exchange.event} to ${exchange.secret} at ${exchange.host.name}`);
      traffic.onSend(exchange);
      operator.seeSending();
    }),
    onMove: () => traffic.onMove(),
    onReceived: watched((exchange) => traffic.onReceived(exchange)),
    onEnd: watched((exchange) => {
      machine.note(`end of event ${exchange.event} to ${exchange.secret}: ${exchange.outcome?.kind}`);
      traffic.onEnd(exchange);
      operator.seeEnding(exchange);
    }),
  };
}
