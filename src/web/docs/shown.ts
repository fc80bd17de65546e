import { createContext } from 'preact';
import type { Document } from './openapi.ts';

/** The document of the page, for those that look beyond their operation. */
export const Shown = createContext<Document>({ info: { title: '', version: '' }, paths: {} });
