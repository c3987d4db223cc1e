/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly CAIRN_ANON_KEY?: string;
}
