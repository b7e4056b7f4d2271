export declare const bundledProgram: string
export declare function bundleProgram(): Promise<void>
