/** What node:http cannot read as a request, in sentences: the codes of its parser mean nothing to a client. */
import { maxHeaderSize } from 'node:http'
import { refusal, type Outgoing } from './response.js'

/**
 * What is said of an error, by its code and the reason that the parser gives. The first that fits counts. Reasons differ
 * between versions of Node, so the sentence for a code alone must be true of all that the code is given for.
 */
const sentences: readonly (readonly [fits: RegExp, message: string])[] = [
  [/HEADER_OVERFLOW/, `The address and the headers of the request have more than ${maxHeaderSize / 1024} KiB.`],
  [/EXTENSIONS_OVERFLOW/, 'The extensions of a chunk of the body are too long.'],
  [/can't be present with/, 'The request has both Content-Length and Transfer-Encoding. Send one of them.'],
  [/UNEXPECTED_CONTENT_LENGTH/, 'The request says the length of its body twice. Send one Content-Length.'],
  [/INVALID_CONTENT_LENGTH/, 'The Content-Length of the request is no whole number of bytes.'],
  [/INVALID_TRANSFER_ENCODING/, 'The Transfer-Encoding of the request does not end in "chunked".'],
  [/chunk size|CHUNK_SIZE/, 'The size of a chunk of the body is no hexadecimal number that ends its line.'],
  [/chunk/i, 'A chunk of the body is not as long as it says, or its first line has a wrong character.'],
  [/INVALID_EOF_STATE/, 'The request broke off.'],
  [/CLOSED_CONNECTION/, 'More was sent behind a request that ends the connection.'],
  [/LF after|CR after|LF_EXPECTED|CR_EXPECTED/, 'A line of the request does not end in CR LF.'],
  [/INVALID_METHOD/, 'The request does not begin with a method of HTTP/1.1, in capitals.'],
  [/INVALID_URL/, 'The address of the request has a character that must be percent-encoded, or is none.'],
  [/INVALID_CONSTANT/, 'The first line of the request must be a method, an address without spaces, and HTTP/1.1.'],
  [/INVALID_VERSION|H2_UPGRADE/, 'The request is of another version of HTTP than 1.1.'],
  [/header value char/, 'The value of a header has a control character.'],
  [/whitespace after header value/, 'A header goes on in the next line. Write it in one.'],
  [/UNEXPECTED_SPACE/, 'A space stands before the first header.'],
  [/INVALID_HEADER_TOKEN/, 'The name of a header has a character that it must not have, or no colon behind it.'],
]

export interface ReadingError extends NodeJS.ErrnoException {
  /** What the parser says of it. */
  readonly reason?: string
}

/** The answer to what could not be read within `arrivalMs`, or not at all. */
export function unreadable({ code = '', reason = '' }: ReadingError, arrivalMs: number): Outgoing {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return refusal(408, 'BAD_REQUEST', `The request did not arrive within ${arrivalMs / 1000} seconds.`)
  const message = sentences.find(([fits]) => fits.test(`${code} ${reason}`))?.[1] ?? 'The request is not HTTP/1.1.'
  return refusal(code === 'HPE_HEADER_OVERFLOW' ? 431 : 400, 'BAD_REQUEST', message)
}
