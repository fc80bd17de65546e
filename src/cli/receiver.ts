import { type Command, Option } from 'commander';
import { command } from './command.ts';
import { CERTIFICATES } from '../receiver/certificate-kind.ts';
import type { ReceiverFlags } from './receiving.ts';
import { hostFrom, port } from './values.ts';

/** Loads the receiver on first use: it needs much of Node that a server does not. */
const receiving = () => import('./receiving.ts');

const USAGE = `
Em dois terminais:
  catp receiver
  catp dev --map erp.exemplo:443=127.0.0.1:8443 --ca ./catp-receiver/ca.pem

Para receber em um programa seu, em HTTP, por um endpoint HTTPS como os reais:
  catp receiver --forward http://127.0.0.1:3000/hook
Cada notificação é repassada a ele, e a resposta dele é mostrada e devolvida; a
tecla r repete a última, e q encerra.

Roteiro (--script): passos separados por vírgula; o último vale para as
requisições seguintes.
  200  500*3  status, repetido
  200@4s      status depois de uma espera (ms, s, m)
  200+70000   status com um corpo desse tamanho, em bytes
  hang        não responde
  reset       corta a conexão
  drip        corpo sem fim, byte a byte
  cut         corta no meio do corpo
`;

/** `catp receiver`: a TLS endpoint for developers who have none (contract section 10). */
export function receiverCommand(): Command {
  const receiver = command(
    'receiver',
    'recebe notificações por TLS, mostra o que chega e responde conforme um roteiro',
  )
    .addOption(folderOption())
    .option('--host <endereço>', 'endereço em que escuta', hostFrom, '127.0.0.1')
    .option('--port <n>', 'porta em que escuta (0 = qualquer livre)', port('--port'), 8443)
    .option(
      '--http-port <n>',
      'escuta também por HTTP, sem TLS, nessa porta (0 = qualquer livre)',
      port('--http-port'),
    )
    .option(
      '--secret-file <arquivo>',
      'arquivo com a chaveSecreta esperada no cabeçalho secret; sem ele vale CATP_RECEIVER_SECRET',
    )
    // Accepted for compatibility, and not listed.
    .addOption(
      new Option('--secret <texto>', 'a chaveSecreta, visível a todos nesta máquina')
        .env('CATP_RECEIVER_SECRET')
        .hideHelp(),
    )
    .option('--script <roteiro>', 'respostas em ordem, por exemplo "500*3,200"', '200')
    .option('--delay <espera>', 'espera antes de cada resposta, por exemplo 4s')
    .addOption(new Option('--hang', 'nunca responde').conflicts(['script', 'reset', 'delay']))
    .addOption(new Option('--reset', 'corta a conexão sem responder').conflicts(['script', 'hang', 'delay']))
    .addOption(
      new Option(
        '--bad-cert [tipo]',
        'apresenta um certificado que não deve ser aceito (padrão: unknown-ca)',
      ).choices(CERTIFICATES.filter((kind) => kind !== 'good')),
    )
    .addOption(
      new Option('--forward <url>', 'repassa a um programa seu e devolve a resposta dele').conflicts([
        'script',
        'delay',
        'hang',
        'reset',
      ]),
    )
    .addHelpText('after', USAGE)
    .action(async (flags: ReceiverFlags) => (await receiving()).receive(flags));

  const init = command(
    'init',
    'cria a autoridade certificadora do receptor e mostra o arquivo a informar em --ca',
  )
    .addOption(folderOption())
    // Commander gives an option that parent and child share to the parent.
    .action(async () => (await receiving()).announceAuthority(init.optsWithGlobals<ReceiverFlags>().dir));
  return receiver.addCommand(init);
}

const folderOption = (): Option =>
  new Option('--dir <pasta>', 'pasta da autoridade certificadora').default('./catp-receiver');
