/**
 * Run as its own process, with an environment that must have no effect: sends to each port and prints the
 * outcomes.
 */
import { HttpsSender } from '../../src/notification/delivery/send/sender.ts';
import { parseTargetMap } from '../../src/notification/delivery/send/target-map.ts';

const [ca = '', ...ports] = process.argv.slice(2);
const outcomes = await Promise.all(
  ports.map((port) =>
    new HttpsSender({
      policy: { loopback: false, privateNetworks: 'all' },
      map: parseTargetMap([`erp.exemplo:443=127.0.0.1:${port}`]),
      ca: [ca],
    }).send({ endpoint: 'https://erp.exemplo/', headers: {}, body: '{}' }),
  ),
);
console.log(JSON.stringify(outcomes));
process.exit(0);
