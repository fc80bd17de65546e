/** What the network tells of one process, as long as that lives. */
import type { Exchange, Witness } from './network.ts';
import type { Operator } from './operator.ts';
import type { Simulation } from './simulation.ts';
import type { Life } from './world.ts';

/** A violation ends the simulation, but is nothing that the process could hear of. */
export function witnessOf(simulation: Simulation, life: Life, operator: Operator): Witness {
  const { traffic } = simulation;
  const watched = (look: (exchange: Exchange) => void) => (exchange: Exchange) => {
    if (!life.alive) return;
    simulation.stir();
    simulation.guarded(() => look(exchange));
  };
  return {
    onSend: watched((exchange) => {
      simulation.note(`send event ${exchange.event} to ${exchange.secret} at ${exchange.host.name}`);
      traffic.onSend(exchange);
      operator.seeSending();
    }),
    onMove: () => traffic.onMove(),
    onReceived: watched((exchange) => traffic.onReceived(exchange)),
    onEnd: watched((exchange) => {
      simulation.note(`end of event ${exchange.event} to ${exchange.secret}: ${exchange.outcome?.kind}`);
      traffic.onEnd(exchange);
      operator.seeEnding(exchange);
    }),
  };
}
