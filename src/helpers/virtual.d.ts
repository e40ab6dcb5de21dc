/** Modules that are not installed when this is compiled. */

/** What `build.js` puts into the browser bundle. */
declare module 'virtual:assets' {
  export const version: string
  export const schema: string
  /** The ready files, by folder and name. */
  export const files: Readonly<Record<'worlds' | 'faults' | 'scenarios', Readonly<Record<string, object>>>>
}

/** The part of MSW that `commerce-mock/msw` uses. MSW itself has an install script, so it is not installed here. */
declare module 'msw' {
  export interface HttpHandler {
    readonly info: object
  }
  export const http: {
    all(path: string, resolver: (info: { readonly request: Request }) => Promise<Response>): HttpHandler
  }
}
