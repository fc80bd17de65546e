/** Receives the network's reports for one process, while that process lives. */
import type { Machine } from './machine.ts';
import type { Exchange, Witness } from './network.ts';
import type { Lifecycle } from './world.ts';

interface Onlooker {
  seeSending(): void;
  seeEnding(exchange: Exchange): void;
}

/** Returns the witness. A violation ends the simulation, but the process never receives it. */
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
