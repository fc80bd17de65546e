/** Parses the XML parts of an XLSX: strictly, in chunks, with names without prefixes (SAP writes `x:row`). */
import { SaxesParser } from 'saxes';
import { bytesText } from '../../files/unreadable-file.ts';
import { UnreadableSheet } from '../unreadable-sheet.ts';

export interface XmlHandler {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Maximum characters between two tags. The parser holds them until the next tag. */
const MAX_BETWEEN_TAGS = 10 * 1024 * 1024;

/** Maximum depth of elements. A workbook has about ten. */
const MAX_DEPTH = 100;

/**
 * Parses chunks, and yields after each.
 * Throws for a part that is not well-formed, and `UnreadableSheet` for one that is too large.
 */
export async function* parseXml(
  pieces: AsyncIterable<Uint8Array>,
  { open, close, text }: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let [depth, sinceTag] = [0, 0];
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw tooDeep();
    open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth -= 1;
    close?.(localName(name));
  });
  if (text) for (const event of ['text', 'cdata'] as const) parser.on(event, text);
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const part = decoder.decode(piece, { stream: true });
    sinceTag += part.length;
    parser.write(part);
    if (sinceTag > MAX_BETWEEN_TAGS) throw tooLong();
    yield;
  }
  parser.write(decoder.decode()).close();
}

const tooDeep = (): UnreadableSheet =>
  new UnreadableSheet(
    'broken',
    `A planilha está danificada (mais de ${MAX_DEPTH} elementos XML um dentro do outro); abra-a e salve-a de novo como XLSX.`,
  );

const tooLong = (): UnreadableSheet =>
  new UnreadableSheet(
    'tooLongCell',
    `A planilha tem um texto de mais de ${bytesText(MAX_BETWEEN_TAGS)} em uma parte de seu XML; encurte os textos das células ou salve-a de novo.`,
  );

/** Parses a part that is small, or that is kept as a whole. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(pieces, handler));
}
