/** Form in a dialog. Closing the dialog cancels the form. */
import { Dialog } from './dialog.tsx';
import { Form, type FormProps } from './form.tsx';
import { CompanyLine } from './company-name.tsx';

export interface FormDialogProps extends Omit<FormProps, 'onCancel'> {
  readonly title: string;
  readonly wide?: boolean;
  readonly onClose: () => void;
}

export const FormDialog = ({ title, wide = false, onClose, ...form }: FormDialogProps) => (
  <Dialog title={title} wide={wide} onClose={onClose}>
    <CompanyLine />
    <Form {...form} onCancel={onClose} />
  </Dialog>
);
