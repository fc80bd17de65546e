/** The parts of an XLSX are XML: read strictly, piece by piece, names without their prefixes (SAP writes `x:row`). */
import { SaxesParser } from 'saxes';

export interface XmlHandler {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Parses what comes; stands still after each piece. Throws where it is not well-formed. */
export async function* parseXml(
  pieces: AsyncIterable<Uint8Array>,
  { open, close, text }: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  if (open) parser.on('opentag', ({ name, attributes }) => open(localName(name), attributes));
  if (close) parser.on('closetag', ({ name }) => close(localName(name)));
  if (text) for (const event of ['text', 'cdata'] as const) parser.on(event, text);
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
}

/** A part that is small, or of which everything is kept. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(pieces, handler));
}

/** Signs that XML cannot hold stand as `_x000D_`, and what looks like that as `_x005F_x000D_`. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
