/** Receives the network's reports for one process, while that process lives. */
import type { Machine } from './machine.ts';
import type { Exchange, NetworkObserver } from './network.ts';
import type { Lifecycle } from './virtual-time.ts';

interface OperatorView {
  seeSending(): void;
  seeEnding(exchange: Exchange): void;
}

/** Returns the observer. A violation ends the simulation, but the process never receives it. */
export function observerOf(machine: Machine, lifecycle: Lifecycle, operator: OperatorView): NetworkObserver {
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
